"""Writes ``report.md``: the page that tells people what a run did (review §18.7).

Titles, logins and reasons are anybody's words; each stands neutralised on one line. Addresses and numbers are the
host's, from the selection.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autoswe.rules.review.run.report import Outcome, Resulting, Selected, Skipped, by_reason
from autoswe.rules.review.verdict.tiers import Verdict
from autoswe.rules.text.neutralise import neutralise_inline

_MAX_NAME = 600
_MAX_WORDS = 6_000
"""Neutralised text is about ten times as long as it reads: 600 characters of a sentence."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?/[A-Za-z0-9_./#-]*")
_NOTHING = "–"

R = TypeVar("R", bound=Resulting)


@dataclass(frozen=True)
class ReportPage:
    """What the page tells besides the results: the organisation, the mode, and what the scan saw.

    ``forgotten`` counts the assessments that could not be read, so that their heads were looked at again (review §6.6).
    ``sessions`` says that the run wanted any: without them, no result is nothing to tell of.
    """

    org: str
    dry_run: bool
    candidates_seen: int
    ledger_entries: int
    forgotten: int = 0
    sessions: bool = True


def write_report(
    page: ReportPage, selected: Mapping[str, Selected], outcome: Outcome[R], skipped: Sequence[Skipped]
) -> str:
    """Write the page; it names the mode in its heading and ends with a line break."""
    mode = "dry run" if page.dry_run else "live run"
    parts = [
        f"# Scheduled review of {_words(page.org, _MAX_NAME)}: {mode}",
        _counts(page, outcome, len(skipped)),
        *_results(selected, outcome.results),
        *_skipped(skipped),
        *_notes(outcome, sessions=page.sessions),
        *_forgotten(page.forgotten),
        f"Spent: {outcome.premium_requests} premium requests, {outcome.agent_seconds} agent seconds. "
        f"The ledger holds {page.ledger_entries} heads.",
    ]
    return "\n\n".join(parts) + "\n"


def _counts(page: ReportPage, outcome: Outcome[R], skipped: int) -> str:
    counted = ", ".join(f"{outcome.count(verdict)} {verdict}" for verdict in Verdict)
    return f"{page.candidates_seen} pull requests seen: {counted}, {skipped} skipped."


def _results(selected: Mapping[str, Selected], results: Sequence[Resulting]) -> Iterator[str]:
    if not results:
        yield "Nothing was reviewed."
        return
    rows = (_result(selected[result.key], result) for result in results)
    yield _table(("pull request", "title", "author", "tier", "verdict", "review or reason"), rows)


def _result(entry: Selected, result: Resulting) -> Sequence[str]:
    reason = _words(result.reasons[0], _MAX_WORDS) if result.reasons else _NOTHING
    review = _link("review", result.review_url) if result.review_url is not None else reason
    return (
        _link(f"{entry.repository}#{entry.number}", entry.url),
        _words(entry.title, _MAX_WORDS),
        _words(entry.author, _MAX_NAME),
        result.tier or _NOTHING,
        result.verdict,
        review,
    )


def _skipped(skipped: Sequence[Skipped]) -> Iterator[str]:
    if not skipped:
        return
    yield "## Skipped"
    for reason, count in by_reason(skipped).items():
        rows = (row for row in skipped if row.reason is reason)
        ordered = sorted(rows, key=lambda row: (row.repository.casefold(), row.number))
        yield f"### `{reason}`: {count}"
        yield _table(
            ("pull request", "title"),
            (
                (_words(f"{row.repository}#{row.number}", _MAX_NAME), _words(row.title or "", _MAX_WORDS) or _NOTHING)
                for row in ordered
            ),
        )


def _notes(outcome: Outcome[R], *, sessions: bool) -> Iterator[str]:
    sentences = (
        ("The result could not be read of", outcome.unreadable),
        ("No result was left by" if sessions else "Selected, and no session was wanted:", outcome.silent),
        (
            "Left out, because they are about nothing that was selected or about another head:",
            outcome.foreign,
        ),
    )
    for sentence, keys in sentences:
        if keys:
            yield f"{sentence} {', '.join(_words(key, _MAX_NAME) for key in keys)}."


def _forgotten(count: int) -> Iterator[str]:
    if count:
        yield f"{count} assessments of the ledger could not be read and were left out."


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (heading, ["---"] * len(heading), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _link(text: str, address: str) -> str:
    """Link to a page of the host; an address with anything unusual in it is not linked."""
    shown = _words(text, _MAX_NAME)
    return f"[{shown}](<{address}>)" if _ADDRESS.fullmatch(address) else shown


def _words(text: str, limit: int) -> str:
    return neutralise_inline(text, limit)
