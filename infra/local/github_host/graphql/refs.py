"""A branch with its rules and its protection as GraphQL fields.

Source: "Objects: Ref". ``rules`` are the active ones of repository and organisation; ``refUpdateRule`` is what anybody
may see of the classic protection, null without one. Assumed: rulesets alone leave it null.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from infra.local.github_host.checks.checks import CheckRun, CommitStatus
from infra.local.github_host.git.branch_rules import BranchRule
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.graphql.connections import Connection, connect
from infra.local.github_host.graphql.context import Fields, Info
from infra.local.github_host.graphql.errors import not_found
from infra.local.github_host.identifiers import node_id


@dataclass(frozen=True)
class Ref:
    """A branch of a repository."""

    repository: GitRepository
    branch: str


def find_branch(repository: GitRepository, branch: str) -> Ref | None:
    """Return a branch, null when there is none."""
    return None if repository.store.tip(branch) is None else Ref(repository, branch)


def is_required(
    report: CheckRun | CommitStatus,
    info: Info,
    pullRequestNumber: int | None = None,  # noqa: N803 - GitHub's name
    **_: Any,
) -> bool:
    """Say whether a pull request's base branch requires a report; Refused without a pull request that there is."""
    repository = info.context.state.repository(report.repository.full_name)
    if repository is None or pullRequestNumber is None:
        raise not_found("A pull request ID or pull request number is required.")
    base = info.context.pull(repository, pullRequestNumber).base_ref
    name, app_id = (report.name, report.suite.app.app_id) if isinstance(report, CheckRun) else (report.context, None)
    return any(context == name and app in {None, app_id} for context, app in _required(Ref(repository, base)))


def _rules(ref: Ref) -> list[BranchRule]:
    return [rule for rule in ref.repository.rules if rule.applies_to(ref.branch)]


def _required(ref: Ref) -> Iterator[tuple[str, int | None]]:
    for context in ref.repository.required_contexts(ref.branch):
        yield context, None
    for rule in _rules(ref):
        for check in rule.parameters.get("required_status_checks", ()):
            yield check["context"], check.get("integration_id")


def _shown_rules(ref: Ref, info: Info, orderBy: object = None, **page: Any) -> Connection:  # noqa: N803, ARG001
    return connect(info, _rules(ref), **page)


def _parameters(rule: BranchRule, _: Info) -> BranchRule | None:
    return rule if "required_status_checks" in rule.parameters else None


REF: Fields = {
    "id": lambda ref, _: node_id("REF", ref.repository.id, f"refs/heads/{ref.branch}"),
    "name": lambda ref, _: ref.branch,
    "refUpdateRule": lambda ref, _: ref if ref.repository.is_protected(ref.branch) else None,
    "rules": _shown_rules,
}
REF_UPDATE_RULE: Fields = {
    "pattern": lambda ref, _: next(one for one in ref.repository.protected if fnmatchcase(ref.branch, one)),
    "requiredStatusCheckContexts": lambda ref, _: list(ref.repository.required_contexts(ref.branch)),
}
RULE: Fields = {
    "id": lambda rule, _: node_id("RUR", rule.ruleset_id, rule.type),
    "type": lambda rule, _: rule.type.upper(),
    "parameters": _parameters,
}
REQUIRED_CHECKS: Fields = {
    "requiredStatusChecks": lambda rule, _: rule.parameters["required_status_checks"],
}
REQUIRED_CHECK: Fields = {
    "context": lambda check, _: check["context"],
    "integrationId": lambda check, _: check.get("integration_id"),
}
