"""Which resolver answers which field of GitHub's schema, and which of its types an object is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.github_host.checks.checks import CheckRun, CommitStatus
from infra.local.github_host.git.branch_rules import BranchRule
from infra.local.github_host.graphql import git_objects, pulls, refs, rollups
from infra.local.github_host.graphql.context import Fields, Info
from infra.local.github_host.graphql.mutations import update_refs
from infra.local.github_host.people.accounts import Account, Team
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review, ReviewComment, ReviewThread
from infra.local.github_host.repository import Repository

_ACCOUNT: Fields = {
    "id": lambda account, _: account.node_id,
    "databaseId": lambda account, _: account.id,
    # Assumed: GraphQL leaves out the suffix that REST writes.
    "login": lambda account, _: account.login.removesuffix("[bot]"),
}
_CONNECTION: Fields = {
    "nodes": lambda page, _: page.nodes,
    "totalCount": lambda page, _: page.total_count,
    "pageInfo": lambda page, _: page.page_info,
}
FIELDS: Mapping[str, Fields] = {
    "Query": {
        "node": lambda _root, info, **given: info.context.node(given["id"]),
        "nodes": lambda _root, info, ids: info.context.nodes(ids),
        "rateLimit": lambda _root, info, **_: info.context.rate_limit,
        "repository": lambda _root, info, owner, name, **_: info.context.repository(owner, name),
    },
    "Mutation": {"updateRefs": update_refs},
    "RateLimit": {
        "cost": lambda limit, _: limit.cost,
        "nodeCount": lambda limit, _: limit.node_count,
        "limit": lambda limit, _: limit.limit,
        "remaining": lambda limit, _: limit.remaining,
        "resetAt": lambda limit, _: limit.reset_at,
    },
    "UpdateRefsPayload": {"clientMutationId": lambda payload, _: payload["clientMutationId"]},
    "Repository": {
        "databaseId": lambda repository, _: repository.id,
        "defaultBranchRef": lambda repository, _: refs.find_branch(repository, repository.default_branch),
        "ref": git_objects.find_ref,
        "id": lambda repository, _: repository.node_id,
        "isArchived": lambda repository, _: repository.archived,
        "isPrivate": lambda repository, _: repository.private,
        "nameWithOwner": lambda repository, _: repository.full_name,
        "object": git_objects.find_object,
        "pullRequest": lambda repository, info, number: info.context.pull(repository, number),
        "pullRequests": pulls.list_pulls,
    },
    "PageInfo": {
        "endCursor": lambda page, _: page.end_cursor,
        "hasNextPage": lambda page, _: page.has_next_page,
    },
    "App": rollups.APP,
    "Blob": git_objects.BLOB,
    "Bot": _ACCOUNT,
    "CheckRun": rollups.CHECK_RUN,
    "CheckRunConnection": _CONNECTION,
    "CheckSuite": rollups.CHECK_SUITE,
    "CheckSuiteConnection": _CONNECTION,
    "Commit": rollups.COMMIT,
    "IssueComment": pulls.ISSUE_COMMENT,
    "Label": pulls.LABEL,
    "LabelConnection": _CONNECTION,
    "Organization": _ACCOUNT,
    "PullRequest": pulls.PULL_REQUEST,
    "PullRequestConnection": _CONNECTION,
    "PullRequestReview": pulls.REVIEW,
    "PullRequestReviewComment": pulls.REVIEW_COMMENT,
    "PullRequestReviewCommentConnection": _CONNECTION,
    "PullRequestReviewConnection": _CONNECTION,
    "PullRequestReviewThread": pulls.REVIEW_THREAD,
    "PullRequestReviewThreadConnection": _CONNECTION,
    "Ref": git_objects.REF,
    "RefUpdateRule": refs.REF_UPDATE_RULE,
    "RepositoryRule": refs.RULE,
    "RepositoryRuleConnection": _CONNECTION,
    "RequiredStatusChecksParameters": refs.REQUIRED_CHECKS,
    "ReviewRequest": pulls.REVIEW_REQUEST,
    "ReviewRequestConnection": _CONNECTION,
    "StatusCheckConfiguration": refs.REQUIRED_CHECK,
    "StatusCheckRollup": rollups.ROLLUP,
    "StatusCheckRollupContextConnection": _CONNECTION,
    "StatusContext": rollups.STATUS_CONTEXT,
    "Team": pulls.TEAM,
    "User": _ACCOUNT,
    "WorkflowRun": rollups.WORKFLOW_RUN,
    "WorkflowRunFile": rollups.WORKFLOW_RUN_FILE,
}
_TYPES: Mapping[type, str] = {
    BranchRule: "RequiredStatusChecksParameters",
    CheckRun: "CheckRun",
    CommitStatus: "StatusContext",
    IssueComment: "IssueComment",
    Pull: "PullRequest",
    Repository: "Repository",
    Review: "PullRequestReview",
    ReviewComment: "PullRequestReviewComment",
    ReviewThread: "PullRequestReviewThread",
    Team: "Team",
    git_objects.GitBlob: "Blob",
    rollups.GitCommit: "Commit",
}


def resolve_field(source: Any, info: Info, **arguments: Any) -> Any:
    """Answer one field."""
    return FIELDS[info.parent_type.name][info.field_name](source, info, **arguments)


def resolve_type(value: Any, *_: Any) -> str:
    """Name the type of an object where the schema leaves several."""
    return str(value.type) if isinstance(value, Account) else _TYPES[type(value)]
