"""Vetoes that a patch's lines show by themselves, in workflows and actions (review §8.2).

A diff does not show where every line stands. What it leaves open is judged as the worse case.
"""

import re
from collections import Counter
from collections.abc import Iterator

import re2

from autoswe.rules.review.diff.expressions import secret_references
from autoswe.rules.review.diff.file_kinds import FileKind
from autoswe.rules.review.diff.patches import Patch
from autoswe.rules.review.diff.yaml_lines import PlacedLine, PlacedLines, place_lines, unquoted
from autoswe.rules.review.vetoes.findings import VetoRule
from autoswe.rules.review.vetoes.pinned_actions import is_unpinned

Found = tuple[VetoRule, str]
Entries = tuple[tuple[str, str], ...]

PERMISSION_KEYS = (
    frozenset(
        ("actions", "artifact-metadata", "attestations", "checks", "code-quality", "contents", "copilot-requests")
    )
    | frozenset(("deployments", "discussions", "id-token", "issues", "models", "packages", "pages", "pull-requests"))
    | frozenset(("repository-projects", "security-events", "statuses", "vulnerability-alerts"))
)
"""Keys that are permissions wherever they stand; under ``permissions`` every key is one (GitHub: "Workflow syntax")."""

_TARGET = "pull_request_target"
_INTERFACE = frozenset({"inputs", "outputs"})
# What an action holds beside the names of its inputs and outputs.
_ACTION_WORDS = (
    _INTERFACE
    | frozenset(
        ("name", "author", "description", "required", "default", "deprecationmessage", "value", "type", "options")
    )
    | frozenset(
        ("runs", "using", "main", "pre", "post", "pre-if", "post-if", "image", "args", "entrypoint", "env", "steps")
    )
    | frozenset(("pre-entrypoint", "post-entrypoint", "with", "run", "shell", "uses", "id", "if", "working-directory"))
    | frozenset(("continue-on-error", "branding", "icon", "color"))
)
_ODD_SIGNS = re.compile(r"[&*!?\\]|<<")
_ODD_SPELLINGS = re2.compile(
    r"""(?:^|[:\-?,{\[]\s)\s*(?:[&*][\w-]+|![\w!<:/.-]*(?:\s|$))"""  # anchors, aliases and tags
    r"""|(?:^|-\s)\?\s|<<\s*:"""  # keys set apart, merge keys
    r"""|"[^"]*\\(?:[xuU][0-9A-Fa-f]{2}|[0-7/ ]|$)"""  # escapes that spell a character, lines joined inside quotes
)


def find_in_lines(patch: Patch, kind: FileKind, *, structure_is_read: bool) -> Iterator[Found]:
    """Give each rule that the changed lines of a workflow or an action break, with what breaks it.

    ``structure_is_read`` says that the whole file is judged as well; else spellings that only a whole file explains are
    a reason by themselves.
    """
    lines = place_lines(patch, has_interface=kind is FileKind.ACTION)
    for line in lines.added():
        entries = tuple(_entries_and_values(line))
        yield from _references(line, entries)
        if kind is FileKind.WORKFLOW:
            yield from _events_and_grants(line, entries)
        if not structure_is_read and _ODD_SIGNS.search(line.text) and _ODD_SPELLINGS.search(line.text):
            yield VetoRule.ODD_YAML, line.text
    yield from _interface(lines) if kind is FileKind.ACTION else _limits(lines)


def _limits(lines: PlacedLines) -> Iterator[Found]:
    """Find an empty block of permissions that is gone from where it stood."""
    kept = Counter(line.place[:-1] for line in lines.added() if _grants_nothing(line))
    gone = Counter(line.place[:-1] for line in lines.removed() if _grants_nothing(line))
    if gone - kept:
        yield VetoRule.PERMISSIONS_REMOVED, "permissions: {}"


def _grants_nothing(line: PlacedLine) -> bool:
    return any(key == "permissions" and value.replace(" ", "") == "{" for key, value in line.entries())


def _references(line: PlacedLine, entries: Entries) -> Iterator[Found]:
    for reference in secret_references(line.text, begins_inside=line.in_expression):
        yield VetoRule.SECRET, reference
    for key, value in entries:
        if key == "secrets" and value and not value.startswith("{"):
            yield VetoRule.SECRET, f"secrets: {value}"
        if key == "uses" and is_unpinned(value):
            yield VetoRule.UNPINNED_ACTION, value or "uses:"


def _events_and_grants(line: PlacedLine, entries: Entries) -> Iterator[Found]:
    if _TARGET in line.text.lower() and _names_event(line, entries):
        yield VetoRule.PULL_REQUEST_TARGET, _TARGET
    for key, value in entries:
        if key == "permissions" and "write" in value and not value.startswith("{"):
            yield VetoRule.WRITE_PERMISSION, f"permissions: {value}"
        elif value == "write" and _is_permission(key, line):
            yield VetoRule.WRITE_PERMISSION, f"{key}: write"
    if unquoted(line.text) == "write-all":
        yield VetoRule.WRITE_PERMISSION, "write-all"


def _entries_and_values(line: PlacedLine) -> Iterator[tuple[str, str]]:
    """Give the line's entries, and a value that stands below its key together with that key."""
    entries = tuple(line.entries())
    yield from entries
    if not entries and line.parent_key and line.parent:
        below_its_key = unquoted(line.parent.partition(":")[2]) in {"", ">", ">-", ">+", "|", "|-", "|+"}
        if below_its_key and not line.text.startswith("- "):
            yield line.parent_key, unquoted(line.text)


def _is_permission(key: str, line: PlacedLine) -> bool:
    return key in PERMISSION_KEYS or line.parent_key in {None, "permissions"} or "permissions" in line.text.lower()


def _names_event(line: PlacedLine, entries: Entries) -> bool:
    """Say whether the event's name stands as a key, or in a list of words, rather than in a condition or a command."""
    for key, value in entries:
        if key == _TARGET or (key == "on" and _TARGET in value):
            return True
    words = line.text.strip("-[]{} ").split(",")
    return any(word.strip(" \"'[]{}?-:").lower() == _TARGET for word in words)


def _interface(lines: PlacedLines) -> Iterator[Found]:
    kept = {name for line in lines.new for name in _interface_names(line)}
    for line in lines.removed():
        for name in _interface_names(line):
            if name not in kept:
                yield VetoRule.INTERFACE_REMOVED, name


def _interface_names(line: PlacedLine) -> Iterator[str]:
    """Give the names of inputs and outputs that a line may declare."""
    entries = tuple(line.entries())
    if not entries:
        return
    (key, value), *inside = entries
    if key in _INTERFACE and inside:
        yield from (name for name, _ in inside if name not in _ACTION_WORDS)
    elif line.parent_key in _INTERFACE or (
        line.parent is None and key not in _ACTION_WORDS and value in {"", "{", "~", "null"}
    ):
        yield key
