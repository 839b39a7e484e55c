"""Which suggestion blocks of a thread may be applied as they stand (feedback §3)."""

from collections.abc import Mapping, Sequence

from autoswe.rules.github.facts import Thread, ThreadComment
from autoswe.rules.text.suggestions import (
    NoSuggestion,
    Suggestion,
    SuggestionAnchor,
    SuggestionEdit,
    SuggestionReason,
    judge_anchor,
    read_suggestion,
)


def read_thread_suggestions(
    thread: Thread, comments: Sequence[ThreadComment], contents: Mapping[str, bytes]
) -> tuple[SuggestionEdit, ...] | SuggestionReason:
    """Read the edits that a thread's kept comments suggest, or why they are not applied as they stand.

    ``contents`` holds the head's files by path. One unusable block makes the whole thread a remark for the agent. The
    edits are labelled with the id of the comment they stand in.
    """
    edits: list[SuggestionEdit] = []
    for comment in comments:
        read = read_suggestion(comment.body)
        if isinstance(read, NoSuggestion):
            continue
        if not isinstance(read, Suggestion):
            return read.reason
        refusal = judge_anchor(_anchor(thread, comment, contents))
        if refusal is not None:
            return refusal
        if thread.line is None:
            return SuggestionReason.FILE_LEVEL
        edits.append(SuggestionEdit(str(comment.comment_id), thread.start_line or thread.line, thread.line, read.lines))
    return tuple(edits)


def _anchor(thread: Thread, comment: ThreadComment, contents: Mapping[str, bytes]) -> SuggestionAnchor:
    return SuggestionAnchor(
        path=thread.path,
        names_lines=thread.line_level and thread.line is not None,
        on_new_side=thread.right_side,
        submitted=not comment.pending,
        resolved=thread.resolved,
        outdated=thread.outdated,
        commented_lines=_commented_lines(thread, comment),
        head_lines=_head_lines(contents, thread),
    )


def _commented_lines(thread: Thread, comment: ThreadComment) -> tuple[str, ...] | None:
    """Return the lines a comment is anchored to as its author saw them: the end of its diff hunk's new side.

    Absent when the thread names no lines, or the hunk does not hold as many.
    """
    if thread.line is None:
        return None
    count = thread.line - (thread.start_line or thread.line) + 1
    new_side = [row[1:].removesuffix("\r") for row in comment.diff_hunk.split("\n")[1:] if row[:1] in {" ", "+"}]
    return tuple(new_side[-count:]) if 0 < count <= len(new_side) else None


def _head_lines(contents: Mapping[str, bytes], thread: Thread) -> tuple[str, ...] | None:
    """Return the lines of the head that a thread is anchored to, or nothing when they cannot be read as text."""
    content = contents.get(thread.path)
    if content is None or thread.line is None:
        return None
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError:
        return None
    start = thread.start_line or thread.line
    if not 1 <= start <= thread.line <= len(lines):
        return None
    return tuple(line.removesuffix("\r") for line in lines[start - 1 : thread.line])
