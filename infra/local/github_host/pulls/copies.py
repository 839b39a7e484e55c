"""What was written on a pull request at one moment, kept as it was."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review, ReviewComment, ReviewThread


@dataclass(frozen=True)
class Conversation:
    """Issue comments, reviews and threads, which know each other and not their later selves."""

    comments: Sequence[IssueComment] = ()
    reviews: Sequence[Review] = ()
    threads: Sequence[ReviewThread] = ()


def fingerprint(pull: Pull) -> object:
    """Return a value that differs whenever a copy of the conversation would."""
    return (
        [(one.id, one.updated_at, one.body) for one in pull.comments],
        [(one.id, one.updated_at, one.body, one.state) for one in pull.reviews],
        [
            (
                (thread.id, thread.resolved, thread.outdated, thread.commit, thread.line),
                [(one.id, one.updated_at, one.body, one.minimized) for one in thread.comments],
            )
            for thread in pull.threads
        ],
    )


def copy_conversation(pull: Pull) -> Conversation:
    """Copy all that is written on a pull request; accounts and the pull request itself are not copied."""
    reviews = {one.id: copy.copy(one) for one in pull.reviews}
    threads = [_copy_thread(thread, reviews) for thread in pull.threads]
    copied = {one.id: one for thread in threads for one in thread.comments}
    for review in reviews.values():
        review.comments = [copied[one.id] for one in review.comments if one.id in copied]
    return Conversation([copy.copy(one) for one in pull.comments], list(reviews.values()), threads)


def _copy_thread(thread: ReviewThread, reviews: dict[int, Review]) -> ReviewThread:
    copied = copy.copy(thread)
    comments: dict[int, ReviewComment] = {}
    for one in thread.comments:
        comment = comments[one.id] = copy.copy(one)
        comment.thread, comment.review = copied, reviews[one.review.id]
        if one.in_reply_to is not None:
            comment.in_reply_to = comments.get(one.in_reply_to.id, one.in_reply_to)
    copied.comments = list(comments.values())
    return copied
