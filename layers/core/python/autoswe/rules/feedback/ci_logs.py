"""What of a failed CI reaches a model: bounded, redacted, screened and fenced, or nothing at all (feedback §4).

Anybody whose code runs in CI can write anything into a log, the names of jobs and checks included. So no label comes
from the host, and one text that the screen refuses ends the matter: what speaks to a machine there was put there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import re2

from autoswe.rules.github.facts import Annotation, CiEvidence, JobLog
from autoswe.rules.text.fence import fence, join_fenced
from autoswe.rules.text.kinds import Fenced, Screened, Untrusted
from autoswe.rules.text.redact_wrapped import redact_wrapped
from autoswe.rules.text.screen import Refused as ScreenRefusal
from autoswe.rules.text.screen import screen

MAX_SOURCE_CHARACTERS = 12_000
MAX_EVIDENCE_CHARACTERS = 40_000
MAX_NAME_CHARACTERS = 200
# Longer than a private key: at the beginning of a log that was cut, half a credential has no shape.
UNSEEN_CHARACTERS = 4_096

_STAMP = re2.compile(r"(?m)^\x{FEFF}?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,18}Z ?")


@dataclass(frozen=True)
class Evidence:
    """What a model may see: one fenced block per source, labelled C1, C2, …; ``left_out`` sources are not among them.

    About ``MAX_EVIDENCE_CHARACTERS`` in all; a block beyond that is left out whole.
    """

    blocks: tuple[Fenced, ...]
    left_out: int

    @property
    def fenced(self) -> Fenced:
        """All blocks as one brief."""
        return join_fenced(self.blocks)


@dataclass(frozen=True)
class Refused:
    """The screen refused a source: no model may be asked about this CI. ``rule_ids`` name the rules that were met."""

    rule_ids: tuple[str, ...]


@dataclass(frozen=True)
class Nothing:
    """No failure says anything of itself."""


def ci_brief(evidence: CiEvidence) -> Evidence | Refused | Nothing:
    """Judge what the failures on a commit say of themselves.

    Statuses and annotations come first, then logs. Every source that is not empty is screened, whether or not there is
    room for it. The end of a log is kept, the beginning of anything else.
    """
    sources = [source for source in _sources(evidence) if source]
    verdicts = screen(sources)
    met = [rule for verdict in verdicts if isinstance(verdict, ScreenRefusal) for rule in verdict.rule_ids]
    if met:
        return Refused(tuple(dict.fromkeys(met)))
    passed = [verdict for verdict in verdicts if not isinstance(verdict, ScreenRefusal) and verdict.strip()]
    if not passed:
        return Nothing()
    blocks = _within_budget(passed)
    return Evidence(blocks, evidence.left_out + len(passed) - len(blocks))


def _sources(evidence: CiEvidence) -> Iterator[Untrusted]:
    for status in evidence.statuses:
        if status.description.strip():
            yield _beginning("Commit status", status.context, redact_wrapped(status.description).text)
    for check, annotations in groupby(evidence.annotations, lambda annotation: annotation.check):
        yield _beginning("Annotations of check", check, redact_wrapped("\n".join(map(_line, annotations))).text)
    for log in evidence.logs:
        if end := _end(log):
            yield Untrusted(f"{_title('End of the log of job', log.job)}\n{end}")


def _within_budget(texts: Sequence[Screened]) -> tuple[Fenced, ...]:
    blocks: list[Fenced] = []
    budget = MAX_EVIDENCE_CHARACTERS
    for text in texts:
        block = fence(f"C{len(blocks) + 1}", text)
        if len(block) > budget:
            break
        budget -= len(block)
        blocks.append(block)
    return tuple(blocks)


def _line(annotation: Annotation) -> str:
    where = f"{annotation.path}:{annotation.line}"
    return " ".join(part for part in (where, annotation.level, annotation.title, annotation.message) if part)


def _beginning(kind: str, name: str, text: str) -> Untrusted:
    return Untrusted(f"{_title(kind, name)}\n{text[:MAX_SOURCE_CHARACTERS]}")


def _end(log: JobLog) -> str:
    """Return the last lines of a log, without time stamps; credentials are removed before anything is cut off."""
    lines = _lines_from(log.text, 1) if log.cut else log.text
    text = redact_wrapped(_STAMP.sub("", lines)).text
    unseen = UNSEEN_CHARACTERS if log.cut else 0
    return _lines_from(text, max(unseen, len(text) - MAX_SOURCE_CHARACTERS)).strip("\r\n")


def _lines_from(text: str, position: int) -> str:
    """Return the whole lines that begin at a position or behind it."""
    if position == 0:
        return text
    line_end = text.find("\n", position - 1)
    return "" if line_end < 0 else text[line_end + 1 :]


def _title(kind: str, name: str) -> str:
    words = " ".join(redact_wrapped(name).text.split())
    return f"{kind}: {words[:MAX_NAME_CHARACTERS]}"
