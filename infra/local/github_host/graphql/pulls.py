"""Pull requests, review threads and review comments as GraphQL fields.

Source: "Objects". Assumed: numbers beyond 32 bits travel as strings.
"""

from __future__ import annotations

from typing import Any

from infra.local.github_host.accounts import Account
from infra.local.github_host.graphql.connections import Connection, connect
from infra.local.github_host.graphql.context import Fields, Info
from infra.local.github_host.graphql.rollups import GitCommit
from infra.local.github_host.pulls import Pull
from infra.local.github_host.reviews import ReviewComment, ReviewThread
from infra.local.github_host.timestamps import optional_timestamp, timestamp


def _author(written: Pull | ReviewComment, _: Info) -> Account | None:
    return None if written.author.deleted else written.author


def _threads(pull: Pull, info: Info, **page: Any) -> Connection:
    return connect(info, pull.threads, **page)


def _comments(thread: ReviewThread, info: Info, **page: Any) -> Connection:
    return connect(info, thread.comments, **page)


def _start_side(thread: ReviewThread, _: Info) -> str | None:
    return None if thread.original_start_line is None else str(thread.side)


PULL_REQUEST: Fields = {
    "id": lambda pull, _: pull.node_id,
    "number": lambda pull, _: pull.number,
    "state": lambda pull, _: "OPEN" if pull.is_open else "CLOSED",
    "title": lambda pull, _: pull.title,
    "headRefName": lambda pull, _: pull.head_ref,
    "headRefOid": lambda pull, _: pull.head_sha,
    "baseRefName": lambda pull, _: pull.base_ref,
    "mergeable": lambda pull, _: {None: "UNKNOWN", True: "MERGEABLE", False: "CONFLICTING"}[pull.mergeable],
    "isDraft": lambda pull, _: pull.draft,
    "isCrossRepository": lambda pull, _: pull.head_repository is not pull.repository,
    "author": _author,
    "reviewThreads": _threads,
}
REVIEW_THREAD: Fields = {
    "id": lambda thread, _: thread.node_id,
    "isResolved": lambda thread, _: thread.resolved,
    "isOutdated": lambda thread, _: thread.outdated,
    "path": lambda thread, _: thread.path,
    "line": lambda thread, _: thread.line,
    "startLine": lambda thread, _: thread.start_line,
    "originalLine": lambda thread, _: thread.original_line,
    "originalStartLine": lambda thread, _: thread.original_start_line,
    "diffSide": lambda thread, _: str(thread.side),
    "startDiffSide": _start_side,
    "subjectType": lambda thread, _: "FILE" if thread.about_file else "LINE",
    "resolvedBy": lambda thread, _: thread.resolved_by,
    "comments": _comments,
}
REVIEW_COMMENT: Fields = {
    "id": lambda comment, _: comment.node_id,
    "fullDatabaseId": lambda comment, _: str(comment.id),
    "body": lambda comment, _: comment.body,
    "createdAt": lambda comment, _: timestamp(comment.created_at),
    "updatedAt": lambda comment, _: timestamp(comment.updated_at),
    "lastEditedAt": lambda comment, _: optional_timestamp(comment.edited_at),
    "isMinimized": lambda comment, _: comment.minimized,
    # A review that is not submitted yet is not modelled.
    "state": lambda _comment, _: "SUBMITTED",
    "outdated": lambda comment, _: comment.thread.outdated,
    "diffHunk": lambda comment, _: comment.thread.diff_hunk,
    "author": _author,
    "replyTo": lambda comment, _: comment.in_reply_to,
    "commit": lambda comment, _: GitCommit(comment.pull.repository, comment.thread.commit),
    "originalCommit": lambda comment, _: GitCommit(comment.pull.repository, comment.thread.original_commit),
    "pullRequestReview": lambda comment, _: comment.review,
}
REVIEW: Fields = {
    "id": lambda review, _: review.node_id,
    "fullDatabaseId": lambda review, _: str(review.id),
    "state": lambda review, _: str(review.state),
}
