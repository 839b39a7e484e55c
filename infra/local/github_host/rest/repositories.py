"""A repository, its branches with their rules, and who may do what in it."""

from __future__ import annotations

from infra.local.github_host.answers.errors import ApiError
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import accounts, git, repositories
from infra.local.github_host.people.permissions import reading
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

repository = Resource()


@repository.operation("GET /repos/{owner}/{repo}", "repos/repos#get-a-repository", reading("metadata"))
def get_repository(request: Request) -> Reply:
    """Get a repository."""
    permissions = request.token.permissions
    return Reply(200, repositories.full_repository(request.links, request.repository, permissions))


@repository.operation(
    "GET /repos/{owner}/{repo}/branches/{branch}", "branches/branches#get-a-branch", reading("contents")
)
def get_branch(request: Request) -> Reply:
    """Get a branch."""
    repo, name = request.repository, request.path["branch"]
    tip = repo.store.tip(name)
    commit = None if tip is None else repo.store.commit(tip)
    if commit is None:
        raise ApiError(404, "Branch not found")
    shown = git.commit_in_history(request.links, repo, commit)
    return Reply(200, repositories.branch(request.links, repo, name, shown))


@repository.operation(
    "GET /repos/{owner}/{repo}/rules/branches/{branch}",
    "repos/rules#get-rules-for-a-branch",
    reading("metadata"),
)
def get_branch_rules(request: Request) -> Reply:
    """Get rules for a branch; the branch need not exist."""
    repo, name = request.repository, request.path["branch"]
    rules = [rule for rule in repo.rules if rule.applies_to(name)]
    shown, headers = page(request, rules)
    documents = [repositories.branch_rule(repo, rule.type, rule.parameters, rule.ruleset_id) for rule in shown]
    return Reply(200, documents, headers)


@repository.operation(
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    "collaborators/collaborators#get-repository-permissions-for-a-user",
    reading("metadata"),
    public=False,
    denial="Must have push access to view collaborator permission.",
)
def get_permission(request: Request) -> Reply:
    """Get repository permissions for a user."""
    login = request.path["username"]
    user = request.state.account(login)
    if user is None or user.deleted:
        raise ApiError(404, f"{login} is not a user")
    role = request.repository.collaborators.role(user)
    levels = ("read", "triage", "write", "maintain", "admin")
    held = levels.index(role.level) if role.level in levels else -1
    flags = dict(zip(("pull", "triage", "push", "maintain", "admin"), (held >= at for at in range(5)), strict=True))
    shown = {**accounts.account(request.links, user), "permissions": flags, "role_name": role.name}
    return Reply(200, {"permission": role.permission, "role_name": role.name, "user": shown})
