"""Takes the verdict out of a reviewer's final message, which is hostile until it was read here (review §8.2, §18.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import re2

from autoswe.rules.review.verdict.one_line import MAX_SUMMARY_CHARACTERS, one_line
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.text.strict_json import Malformed, parse_strictly

MAX_BLOCK_BYTES = 256 * 1024
MAX_FINDINGS = 20
MAX_NOTE_CHARACTERS = 400
MAX_INJECTION_ATTEMPTS = 20

_FENCE = re2.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*(.*)")
_LINE_END = re2.compile("\r\n|\n|\r")
_KEYS = frozenset(
    ("schema", "repository", "pull_request", "head_sha", "tier", "summary", "findings", "injection_attempts")
)


class Area(StrEnum):
    """What a finding is about."""

    SECURITY = "security"
    CI = "ci"
    CORRECTNESS = "correctness"
    SCOPE = "scope"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Finding:
    """One concern, ``note`` being one sanitised line of at most 400 characters."""

    area: Area
    note: str


@dataclass(frozen=True, slots=True)
class Target:
    """The pull request that a session was asked about: ``owner/name``, its number, and 40 hexadecimal digits."""

    repository: str
    number: int
    head_sha: str


@dataclass(frozen=True, slots=True)
class AgentVerdict:
    """A verdict that has the agreed shape and names its target.

    ``summary`` is one sanitised line of at most 600 characters; there are at most 20 ``findings`` and 20
    ``injection_attempts`` of 400 characters each. What the reviewer wrote beyond that is cut off.
    """

    tier: Tier
    summary: str
    findings: tuple[Finding, ...]
    injection_attempts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoVerdict:
    """There is no verdict to use; ``reason`` says why in one clause."""

    reason: str


def read_verdict(session_summary: str, target: Target) -> AgentVerdict | NoVerdict:
    """Read the last fenced ``json`` block of a session's summary as a verdict on ``target``.

    Refused is a summary without such a block or with a fence that nothing closes, a block that is no strict JSON
    (``strict_json``), a key too many or too few, a value of another type or outside what is agreed, and a verdict on
    another repository, pull request or head.
    """
    block = _last_json_block(session_summary)
    if isinstance(block, NoVerdict):
        return block
    parsed = parse_strictly(block.encode(errors="surrogatepass"), MAX_BLOCK_BYTES)
    if isinstance(parsed, Malformed):
        return NoVerdict(f"verdict is refused: {parsed.sentence}")
    try:
        return _verdict(parsed.value, target)
    except _Refused as refused:
        return NoVerdict(str(refused))


class _Refused(Exception):
    """The verdict has not the agreed shape, or another target."""


def _last_json_block(text: str) -> str | NoVerdict:
    """Follow the fences of a Markdown text from its top (CommonMark: "Fenced code blocks")."""
    fence = ""
    language = ""
    inside: list[str] = []
    last: str | None = None
    for line in _LINE_END.split(text):
        match = _FENCE.fullmatch(line)
        if not fence:
            if match and not (match[2].startswith("`") and "`" in match[3]):
                fence, language, inside = match[2], match[3].partition(" ")[0].strip().lower(), []
        elif match and not match[3].strip() and match[2].startswith(fence):
            last = "\n".join(inside) if language == "json" else last
            fence = ""
        else:
            inside.append(line)
    if fence:
        return NoVerdict("session summary ends inside a fence that nothing closes")
    return NoVerdict("session summary holds no fenced json block") if last is None else last


def _verdict(document: object, target: Target) -> AgentVerdict:
    if not isinstance(document, dict):
        raise _Refused("verdict is no JSON object")
    if document.keys() != _KEYS:
        missing, unknown = sorted(_KEYS - document.keys()), sorted(map(ascii, document.keys() - _KEYS))
        raise _Refused(one_line(f"verdict lacks {missing} and has unknown keys {unknown}", MAX_NOTE_CHARACTERS))
    if type(document["schema"]) is not int or document["schema"] != 1:
        raise _Refused("verdict has another schema than 1")
    for key, name, expected in (
        ("repository", "repository", target.repository),
        ("pull_request", "pull request", target.number),
        ("head_sha", "head", target.head_sha),
    ):
        if type(document[key]) is not type(expected) or document[key] != expected:
            raise _Refused(f"verdict names another {name}")
    summary = one_line(_text(document["summary"], "summary"), MAX_SUMMARY_CHARACTERS)
    if not summary:
        raise _Refused("verdict has an empty summary")
    return AgentVerdict(
        _tier(document["tier"]),
        summary,
        tuple(_findings(document["findings"])),
        tuple(
            one_line(_text(attempt, "injection_attempts"), MAX_NOTE_CHARACTERS)
            for attempt in _list(document["injection_attempts"], "injection_attempts")[:MAX_INJECTION_ATTEMPTS]
        ),
    )


def _tier(value: object) -> Tier:
    if not isinstance(value, str) or value not in set(Tier):
        raise _Refused(f"verdict's tier is none of {', '.join(Tier)}")
    return Tier(value)


def _findings(value: object) -> Iterator[Finding]:
    for finding in _list(value, "findings")[:MAX_FINDINGS]:
        if not isinstance(finding, dict) or finding.keys() != {"area", "note"}:
            raise _Refused("verdict has a finding that is no pair of area and note")
        area = finding["area"]
        if not isinstance(area, str) or area not in set(Area):
            raise _Refused(f"verdict has a finding whose area is none of {', '.join(Area)}")
        yield Finding(Area(area), one_line(_text(finding["note"], "findings"), MAX_NOTE_CHARACTERS))


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise _Refused(f"verdict's {name} is no list")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _Refused(f"verdict's {name} holds what is no text")
    return value
