"""Which review text reaches the fixer, under which labels (feedback §3, §4).

A comment is kept only when its own author is trusted, and whoever changed it last. A thread is kept when its first
comment may be, or when the trigger is in it; either way comment by comment. All kept bodies are screened in one batch,
bounded, and fenced as data.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autoswe.rules.feedback.eligibility import are_trusted_words
from autoswe.rules.github.facts import Author, Thread, ThreadComment
from autoswe.rules.text.fence import fence
from autoswe.rules.text.html_comments import strip_html_comments
from autoswe.rules.text.kinds import Fenced, Screened, Untrusted
from autoswe.rules.text.screen import Refused, screen

MAX_COMMENT_CHARACTERS = 4_000
MAX_BRIEF_CHARACTERS = 40_000
MAX_THREADS = 100
MAX_COMMENTS = 50


@dataclass(frozen=True)
class LabelledThread:
    """One thread of the brief: its label, what the host says of it, its kept comments and its fenced text."""

    label: str
    thread: Thread
    comments: tuple[ThreadComment, ...]
    fenced: Fenced


@dataclass(frozen=True)
class Brief:
    """The brief, with what was left out: comments of untrusted authors or editors, and comments the screen refused."""

    trigger_notes: Fenced | None
    threads: tuple[LabelledThread, ...]
    dropped_comments: int
    screened_comments: int


def compose_brief(
    threads: Sequence[Thread], trigger_body: str, trigger_comment_id: int | None, trusted: Callable[[Author], bool]
) -> Brief:
    """Choose, screen, bound, label and fence.

    ``trigger_body`` is the trigger's text, whose author and last editor are trusted already; ``trigger_comment_id`` is
    set when the trigger is an inline comment. ``trusted`` judges one account. A thread beyond the character bound is
    left out whole together with all that follow, so that no label stands for a part of a discussion. The first thread
    alone is never too long for a round: of that one the last comments are left out that do not fit.
    """
    kept, dropped = _keep_trusted(threads, trigger_comment_id, trusted)
    bodies = [Untrusted(trigger_body), *(Untrusted(comment.body) for _, comments in kept for comment in comments)]
    verdicts = screen([Untrusted(strip_html_comments(body)[:MAX_COMMENT_CHARACTERS]) for body in bodies])
    notes, rest = verdicts[0], iter(verdicts[1:])
    screened = sum(isinstance(verdict, Refused) for verdict in verdicts)
    budget = MAX_BRIEF_CHARACTERS
    trigger_notes: Fenced | None = None
    if not isinstance(notes, Refused) and notes.strip():
        trigger_notes = fence("trigger", notes)
        budget -= len(trigger_notes)
    labelled: list[LabelledThread] = []
    for thread, comments in kept:
        passed = [(c, v) for c in comments if not isinstance(v := next(rest), Refused) and v.strip()]
        if not passed:
            continue
        label = f"T{len(labelled) + 1}"
        text = _fence_thread(label, passed)
        while len(text) > budget and not labelled:
            del passed[-1]
            text = _fence_thread(label, passed)
        if len(text) > budget:
            break
        budget -= len(text)
        labelled.append(LabelledThread(label, thread, tuple(comment for comment, _ in passed), text))
    return Brief(trigger_notes, tuple(labelled), dropped, screened)


def shows_comment(threads: Sequence[Thread], comment_id: int) -> bool:
    """Say whether a comment is in any of the threads, open or resolved, or beyond what is read of them."""
    read_whole = len(threads) < MAX_THREADS and all(len(thread.comments) < MAX_COMMENTS for thread in threads)
    return not read_whole or any(comment.comment_id == comment_id for thread in threads for comment in thread.comments)


def _fence_thread(label: str, comments: Sequence[tuple[ThreadComment, Screened]]) -> Fenced:
    return fence(label, Screened("\n\n".join(text for _, text in comments)))


def _keep_trusted(
    threads: Sequence[Thread], trigger_comment_id: int | None, trusted: Callable[[Author], bool]
) -> tuple[list[tuple[Thread, tuple[ThreadComment, ...]]], int]:
    kept: list[tuple[Thread, tuple[ThreadComment, ...]]] = []
    dropped = 0
    for thread in threads[:MAX_THREADS]:
        if thread.resolved or not thread.comments:
            continue
        comments = [c for c in thread.comments[:MAX_COMMENTS] if not c.pending and not c.minimized]
        believed = tuple(c for c in comments if are_trusted_words(c.author, c.edit, trusted))
        dropped += len(comments) - len(believed)
        opener = thread.comments[0]
        opened_by_trusted = are_trusted_words(opener.author, opener.edit, trusted)
        holds_trigger = any(c.comment_id == trigger_comment_id for c in thread.comments)
        if believed and (opened_by_trusted or holds_trigger):
            kept.append((thread, believed))
        else:
            dropped += len(believed)
    return kept, dropped
