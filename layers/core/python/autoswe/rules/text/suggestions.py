"""Decides which reviewer suggestion may be applied, and applies it exactly as GitHub would.

A suggestion block is a fenced code block whose info string starts with ``suggestion``; its content replaces the lines
that the review comment is anchored to ("Incorporating feedback in your pull request", GitHub Docs). Whatever is
uncertain is refused with a reason, so that it reaches the fixing agent as text instead (feedback §3).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token

PROTECTED_DIRECTORIES = (".github/workflows", ".github/actions")
_BYTE_ORDER_MARK = "\ufeff"
_WHITE_SPACE = " \t\v\f\r\n"


class SuggestionReason(StrEnum):
    """Why a suggestion is not applied."""

    AMBIGUOUS = "ambiguous"
    """The comment holds several suggestion blocks; nobody can tell which one is meant."""
    UNCLOSED_FENCE = "unclosed_fence"
    """A fence in the comment is never closed, so the block's extent is a guess."""
    TILDE_FENCE = "tilde_fence"
    """The block is fenced with tildes; whether GitHub offers such a block is unknown."""
    NOT_TEXT = "not_text"
    """The comment or the file holds NUL or is not valid UTF-8."""
    UNSUBMITTED = "unsubmitted"
    """The review that holds the comment is still pending."""
    RESOLVED = "resolved"
    """The review thread is resolved."""
    OUTDATED = "outdated"
    """The review thread is outdated."""
    FILE_LEVEL = "file_level"
    """The comment is about a file, or names no line of the head."""
    WRONG_SIDE = "wrong_side"
    """Some of the anchored lines, or all, are deleted ones."""
    ANCHOR_UNKNOWN = "anchor_unknown"
    """The anchored lines could not be read at the commented commit or at the head."""
    ANCHOR_CHANGED = "anchor_changed"
    """The anchored lines read differently at the head than where the reviewer commented."""
    PROTECTED_PATH = "protected_path"
    """The file is a workflow or an action, which no round may touch (feedback §5)."""
    OUT_OF_RANGE = "out_of_range"
    """The range is empty, starts before line 1 or ends after the file."""
    OVERLAP = "overlap"
    """Another suggestion replaces one of the same lines."""
    NO_OP = "no_op"
    """The lines already read as suggested."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The one suggestion of a comment: the replacing lines without line ends; no lines at all means delete."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoSuggestion:
    """The comment holds no suggestion block."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """The comment holds something like a suggestion that must not be applied."""

    reason: SuggestionReason


@dataclass(frozen=True, slots=True)
class SuggestionAnchor:
    """What the host said about the place of a review comment; trust in its author is judged elsewhere.

    ``path`` is relative to the repository. ``names_lines`` says that the comment is on lines which the head still has,
    ``on_new_side`` that all of them are on the new side of the diff. ``commented_lines`` are the anchored lines at the
    commit the reviewer looked at, ``head_lines`` those at the head; None means that they could not be read.
    """

    path: str
    names_lines: bool
    on_new_side: bool
    submitted: bool
    resolved: bool
    outdated: bool
    commented_lines: tuple[str, ...] | None
    head_lines: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class SuggestionEdit:
    """Replaces the lines ``start_line`` to ``end_line`` (from 1, both included); ``label`` names it in the report."""

    label: str
    start_line: int
    end_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """The file after the edits that could be applied; both lists follow the order of the lines."""

    content: bytes
    applied: tuple[str, ...]
    refused: tuple[tuple[str, SuggestionReason], ...]


def read_suggestion(body: str) -> Suggestion | NoSuggestion | Unusable:
    """Read the one suggestion block of a comment's Markdown.

    Block boundaries are CommonMark's. A block counts when the first word of its info string is ``suggestion``, letter
    for letter as written (an entity or another case is another word), and when it is not part of a quotation. One
    line end at the end of the content belongs to the fence ("Fenced code blocks", CommonMark Spec).
    """
    # Every line must end in a line end: closed and unclosed fences are told apart by counting them.
    tokens = MarkdownIt("commonmark").disable("inline").parse(body + "\n")
    suggestions = [fence for fence in _unquoted_fences(tokens) if _is_suggestion(fence)]
    if not suggestions:
        return NoSuggestion()
    if not _is_text(body):
        return Unusable(SuggestionReason.NOT_TEXT)
    if any(_is_unclosed(token) for token in tokens if token.type == "fence"):
        return Unusable(SuggestionReason.UNCLOSED_FENCE)
    if len(suggestions) > 1:
        return Unusable(SuggestionReason.AMBIGUOUS)
    if not suggestions[0].markup.startswith("`"):
        return Unusable(SuggestionReason.TILDE_FENCE)
    return Suggestion(tuple(suggestions[0].content.split("\n")[:-1]))


def judge_anchor(anchor: SuggestionAnchor) -> SuggestionReason | None:
    """Decide whether a suggestion at this place may be applied to the head; None means that it may."""
    if not anchor.submitted:
        return SuggestionReason.UNSUBMITTED
    if anchor.resolved:
        return SuggestionReason.RESOLVED
    if anchor.outdated:
        return SuggestionReason.OUTDATED
    if not anchor.names_lines:
        return SuggestionReason.FILE_LEVEL
    if not anchor.on_new_side:
        return SuggestionReason.WRONG_SIDE
    if is_protected_path(anchor.path):
        return SuggestionReason.PROTECTED_PATH
    if anchor.commented_lines is None or anchor.head_lines is None:
        return SuggestionReason.ANCHOR_UNKNOWN
    if anchor.commented_lines != anchor.head_lines:
        return SuggestionReason.ANCHOR_CHANGED
    return None


def is_protected_path(path: str) -> bool:
    """Say whether a repository path is, or lies in, a directory of workflows or actions, in any letter case.

    A path that is absolute or walks through ``.``, ``..`` or an empty segment counts as protected: it hides where it
    leads (feedback §5).
    """
    segments = path.casefold().replace("\\", "/").split("/")
    if any(segment in ("", ".", "..") for segment in segments):
        return True
    return "/".join(segments[:2]) in PROTECTED_DIRECTORIES


def apply_suggestions(content: bytes, edits: Sequence[SuggestionEdit]) -> Applied:
    """Apply suggestions to one file, all of them against the same content, in whatever order they are given.

    New lines end as the lines they replace do. A byte order mark stays, and a file without a line end at its end gets
    none, unless its last line is now an empty one. Edits that share a line are all refused.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start_line, edit.end_line, edit.label, edit.lines))
    text = _decode(content)
    if text is None:
        return Applied(content, (), tuple((edit.label, SuggestionReason.NOT_TEXT) for edit in ordered))
    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    lines = _split_lines(text.removeprefix(mark))
    refusals = _refusals(lines, ordered)
    accepted = [edit for index, edit in enumerate(ordered) if index not in refusals]
    return Applied(
        content=(mark + "".join(_replace(lines, accepted))).encode(),
        applied=tuple(edit.label for edit in accepted),
        refused=tuple((ordered[index].label, reason) for index, reason in sorted(refusals.items())),
    )


def _unquoted_fences(tokens: Sequence[Token]) -> Iterator[Token]:
    quotes = 0
    for token in tokens:
        if token.type in ("blockquote_open", "blockquote_close"):
            quotes += token.nesting
        elif token.type == "fence" and not quotes:
            yield token


def _is_suggestion(fence: Token) -> bool:
    words = fence.info.strip(_WHITE_SPACE).replace("\t", " ").split(" ")
    return words[0] == "suggestion"


def _is_unclosed(fence: Token) -> bool:
    first, end = fence.map or (0, 0)
    # The content of a closed fence lacks two of the block's lines, that of an unclosed one lacks the opening alone.
    return fence.content.count("\n") != end - first - 2


def _is_text(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _decode(content: bytes) -> str | None:
    try:
        return None if b"\0" in content else content.decode()
    except UnicodeDecodeError:
        return None


def _split_lines(text: str) -> list[str]:
    """Split at line feeds alone, as Git and the host count lines; every line keeps its end."""
    *ended, rest = text.split("\n")
    return [line + "\n" for line in ended] + ([rest] if rest else [])


def _line_end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def _refusals(lines: Sequence[str], ordered: Sequence[SuggestionEdit]) -> dict[int, SuggestionReason]:
    """Judge edits that are sorted by their first line; the answer holds the positions of those that are refused."""
    refusals: dict[int, SuggestionReason] = {}
    furthest: int | None = None
    for index, edit in enumerate(ordered):
        if not 1 <= edit.start_line <= edit.end_line <= len(lines):
            refusals[index] = SuggestionReason.OUT_OF_RANGE
            continue
        reason = _refusal(lines, edit)
        if reason is not None:
            refusals[index] = reason
        if furthest is not None and edit.start_line <= ordered[furthest].end_line:
            refusals[furthest] = refusals[index] = SuggestionReason.OVERLAP
        if furthest is None or edit.end_line > ordered[furthest].end_line:
            furthest = index
    return refusals


def _refusal(lines: Sequence[str], edit: SuggestionEdit) -> SuggestionReason | None:
    if not all(map(_is_text, edit.lines)):
        return SuggestionReason.NOT_TEXT
    replaced = lines[edit.start_line - 1 : edit.end_line]
    if edit.lines == tuple(line.removesuffix(_line_end(line)) for line in replaced):
        return SuggestionReason.NO_OP
    return None


def _replace(lines: Sequence[str], accepted: Sequence[SuggestionEdit]) -> list[str]:
    result: list[str] = []
    kept_from = 0
    for edit in accepted:
        result += lines[kept_from : edit.start_line - 1]
        # A last line without an end is replaced in the manner of the file's first line.
        end = _line_end(lines[edit.start_line - 1]) or _line_end(lines[0]) or "\n"
        result += [line + end for line in edit.lines]
        kept_from = edit.end_line
    result += lines[kept_from:]
    if result and not _line_end(lines[-1]):
        # An empty line without an end would be no line at all.
        result[-1] = result[-1].removesuffix(_line_end(result[-1])) or result[-1]
    return result
