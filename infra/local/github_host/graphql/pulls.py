"""Pull requests, review threads and review comments as GraphQL fields.

Source: "Objects". Assumed: numbers beyond 32 bits travel as strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from infra.local.github_host.answers.timestamps import optional_timestamp, timestamp
from infra.local.github_host.graphql.connections import Connection, connect
from infra.local.github_host.graphql.context import Fields, Info
from infra.local.github_host.graphql.errors import Refused
from infra.local.github_host.graphql.refs import find_branch
from infra.local.github_host.graphql.rollups import GitCommit, rollup
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account, Team
from infra.local.github_host.pulls.comments import Comment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review, ReviewThread
from infra.local.github_host.repository import Repository


def _author(written: Pull | Comment, _: Info) -> Account | None:
    return None if written.author.deleted else written.author


def _editor(written: Comment, _: Info) -> Account | None:
    return None if written.editor is None or written.editor.deleted else written.editor


def _threads(pull: Pull, info: Info, **page: Any) -> Connection:
    return connect(info, info.context.view.threads(pull), **page)


def _comments(thread: ReviewThread, info: Info, **page: Any) -> Connection:
    return connect(info, thread.comments, **page)


def _start_side(thread: ReviewThread, _: Info) -> str | None:
    return None if thread.original_start_line is None else str(thread.side)


def _state(pull: Pull) -> str:
    return "OPEN" if pull.is_open else "CLOSED"


def _check_order(info: Info, order: Mapping[str, str] | None) -> None:
    if order not in (None, {"field": "CREATED_AT", "direction": "ASC"}):
        raise Refused("UNPROCESSABLE", f"The host lists `{info.field_name}` in the order of their creation alone.")


def list_pulls(
    repository: Repository,
    info: Info,
    states: Sequence[str] | None = None,
    orderBy: Mapping[str, str] | None = None,  # noqa: N803 - GitHub's name
    **page: Any,
) -> Connection:
    """List a repository's pull requests, oldest first; Refused for another order."""
    info.context.require(repository, "pull_requests")
    _check_order(info, orderBy)
    return connect(
        info, [pull for pull in repository.pulls.values() if states is None or _state(pull) in states], **page
    )


def _reviews(pull: Pull, info: Info, **page: Any) -> Connection:
    return connect(info, info.context.view.reviews(pull), **page)


def _requests(pull: Pull, info: Info, **page: Any) -> Connection:
    return connect(info, pull.requested, **page)


def _requested(asked: Account | Team, _: Info) -> Account | Team | None:
    return None if isinstance(asked, Account) and asked.deleted else asked


def _labels(
    pull: Pull,
    info: Info,
    orderBy: Mapping[str, str] | None = None,  # noqa: N803 - GitHub's name
    **page: Any,
) -> Connection:
    _check_order(info, orderBy)
    return connect(info, pull.labels, **page)


def _reviewed(review: Review, _: Info) -> GitCommit | None:
    repository = review.pull.repository
    return None if repository.store.commit(review.commit) is None else GitCommit(repository, review.commit)


PULL_REQUEST: Fields = {
    "id": lambda pull, _: pull.node_id,
    "number": lambda pull, _: pull.number,
    "state": lambda pull, _: _state(pull),
    "title": lambda pull, _: pull.title,
    "body": lambda pull, _: pull.body,
    "url": lambda pull, info: info.context.state.links.page(pull.repository.full_name, "pull", pull.number),
    "createdAt": lambda pull, _: timestamp(pull.created_at),
    "updatedAt": lambda pull, _: timestamp(pull.updated_at),
    "authorAssociation": lambda pull, _: pull.repository.collaborators.association(pull.author),
    "changedFiles": lambda pull, _: len(pull.changed_files()),
    "headRepository": lambda pull, _: None if pull.head_repository.deleted else pull.head_repository,
    "headRef": lambda pull, _: (
        None if pull.head_repository.deleted else find_branch(pull.head_repository, pull.head_ref)
    ),
    "headRefName": lambda pull, _: pull.head_ref,
    "headRefOid": lambda pull, _: pull.head_sha,
    "baseRef": lambda pull, _: find_branch(pull.repository, pull.base_ref),
    "baseRefName": lambda pull, _: pull.base_ref,
    "baseRefOid": lambda pull, _: pull.base_sha,
    "mergeable": lambda pull, _: {None: "UNKNOWN", True: "MERGEABLE", False: "CONFLICTING"}[pull.mergeable],
    "isDraft": lambda pull, _: pull.draft,
    "isCrossRepository": lambda pull, _: pull.head_repository is not pull.repository,
    "author": _author,
    "labels": _labels,
    "reviewRequests": _requests,
    "reviews": _reviews,
    "reviewThreads": _threads,
    "statusCheckRollup": lambda pull, info: rollup(GitCommit(pull.repository, pull.head_sha), info),
}
LABEL: Fields = {"id": lambda label, _: label.node_id, "name": lambda label, _: label.name}
TEAM: Fields = {"id": lambda team, _: team.node_id}
REVIEW_REQUEST: Fields = {
    "id": lambda asked, _: node_id("RR", asked.node_id),
    "requestedReviewer": _requested,
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
_WRITTEN: Fields = {
    "id": lambda comment, _: comment.node_id,
    "fullDatabaseId": lambda comment, _: str(comment.id),
    "author": _author,
    "body": lambda comment, _: comment.body,
    "editor": _editor,
    "lastEditedAt": lambda comment, _: optional_timestamp(comment.edited_at),
    # Assumed: false of a text only whose first wording GitHub did not keep, which is none of ours.
    "includesCreatedEdit": lambda comment, _: comment.edited_at is not None,
}
ISSUE_COMMENT: Fields = _WRITTEN
REVIEW_COMMENT: Fields = {
    **_WRITTEN,
    "createdAt": lambda comment, _: timestamp(comment.created_at),
    "updatedAt": lambda comment, _: timestamp(comment.updated_at),
    "isMinimized": lambda comment, _: comment.minimized,
    # A review that is not submitted yet is not modelled.
    "state": lambda _comment, _: "SUBMITTED",
    "outdated": lambda comment, _: comment.thread.outdated,
    "diffHunk": lambda comment, _: comment.thread.diff_hunk,
    "replyTo": lambda comment, _: comment.in_reply_to,
    "commit": lambda comment, _: GitCommit(comment.pull.repository, comment.thread.commit),
    "originalCommit": lambda comment, _: GitCommit(comment.pull.repository, comment.thread.original_commit),
    "pullRequestReview": lambda comment, _: comment.review,
}
REVIEW: Fields = {
    **_WRITTEN,
    "state": lambda review, _: str(review.state),
    "commit": _reviewed,
    "submittedAt": lambda review, _: timestamp(review.created_at),
}
