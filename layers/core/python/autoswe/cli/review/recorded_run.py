"""Reads the folder of a recorded review run, and decides it again (review §5, §8.2).

The folder holds ``selection.json``, ``candidates.json``, and ``entries/<key>/`` with what is left of each entry:
``session-summary.md``, ``usage.json``, ``files.json``, and the ``check.json`` that the run made of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from autoswe.contracts.model import Contract
from autoswe.contracts.review.candidates import MAX_CANDIDATES_BYTES, Candidates
from autoswe.contracts.review.checking import MAX_SUMMARY_BYTES, check_pull
from autoswe.contracts.review.judgement import MAX_CHECK_BYTES, Check
from autoswe.contracts.review.reading import DocumentRefused, read_document
from autoswe.contracts.review.selection import MAX_SELECTION_BYTES, SelectedPull, Selection
from autoswe.contracts.review.sides import MAX_SIDES_BYTES, Sides
from autoswe.rules.agents.usage import MAX_USAGE_BYTES
from autoswe.rules.review.pulls.simulation import SELECTED, Difference, Judgement, differences, select_again
from autoswe.rules.review.verdict.check import Missing
from autoswe.rules.review.verdict.tiers import Tier

M = TypeVar("M", bound=Contract)


class Unreadable(Exception):
    """A file that cannot be used; the message names it and says why."""


def read_bytes(file: Path, max_bytes: int) -> bytes:
    """Read at most one byte more than a file may have, so that one that is too large can be told."""
    try:
        with file.open("rb") as opened:
            return opened.read(max_bytes + 1)
    except OSError as failed:
        raise Unreadable(f"{file} cannot be read: {failed.strerror}") from None


def read_file(model: type[M], file: Path, max_bytes: int) -> M:
    """Read one of a review's files."""
    try:
        return read_document(model, read_bytes(file, max_bytes), name=str(file), max_bytes=max_bytes)
    except DocumentRefused as refused:
        raise Unreadable(str(refused)) from None


def read_optional(model: type[M], file: Path | None, max_bytes: int) -> M | None:
    """Read one of a review's files where it is there."""
    return read_file(model, file, max_bytes) if file is not None and file.exists() else None


def check_files(
    pull: SelectedPull,
    summary: Path,
    approve_tiers: Iterable[Tier],
    *,
    usage: Path | None,
    sides: Path | None,
    sides_required: bool,
    reported: str | None = None,
) -> Check:
    """Judge what a session left in files; a summary that is not there is a session that left none.

    ``reported`` is what a run said of a summary that it could not have; nobody can tell it anew.
    """
    return check_pull(
        pull,
        _read_summary(summary, reported),
        read_bytes(usage, MAX_USAGE_BYTES) if usage is not None and usage.exists() else None,
        read_optional(Sides, sides, MAX_SIDES_BYTES),
        approve_tiers,
        sides_required=sides_required,
    )


def _read_summary(file: Path, reported: str | None) -> bytes | Missing:
    content = read_bytes(file, MAX_SUMMARY_BYTES) if file.exists() else None
    if content is None or (reported is not None and len(content) > MAX_SUMMARY_BYTES):
        return Missing(reported or "session summary is missing")
    return content


def run_differences(folder: Path) -> Sequence[Difference]:
    """Select and judge a recorded run again, and compare with what the run decided."""
    selection = read_file(Selection, folder / "selection.json", MAX_SELECTION_BYTES)
    return [*_selection_differences(selection, folder), *_check_differences(selection, folder)]


def _check_differences(selection: Selection, folder: Path) -> Sequence[Difference]:
    was: dict[str, Judgement] = {}
    now: dict[str, Judgement] = {}
    for pull in selection.pull_requests:
        entry = folder / "entries" / pull.key
        recorded = read_optional(Check, entry / "check.json", MAX_CHECK_BYTES)
        if recorded is not None:
            again = check_files(
                pull,
                entry / "session-summary.md",
                selection.approve_tiers,
                usage=entry / "usage.json",
                sides=entry / "files.json",
                sides_required=not selection.dry_run,
                reported=recorded.reasons[0] if recorded.agent_tier is None else None,
            )
            was[pull.key], now[pull.key] = _judgement(recorded), _judgement(again)
    return differences(was, now)


def _judgement(check: Check) -> Judgement:
    return Judgement(check.tier, check.approvable, check.reasons)


def _selection_differences(selection: Selection, folder: Path) -> Sequence[Difference]:
    recorded = read_file(Candidates, folder / "candidates.json", MAX_CANDIDATES_BYTES)
    policy = recorded.policy
    again = select_again(policy.policy(), policy.remembered(), recorded.candidates, policy.max_pull_requests)
    return differences(_decided(selection), again)


def _decided(selection: Selection) -> Mapping[str, str]:
    skipped = {f"{pull.repository}#{pull.number}": pull.reason.value for pull in selection.skipped}
    return skipped | {f"{pull.repository}#{pull.number}": SELECTED for pull in selection.pull_requests}
