"""Who may call the local GitHub host, with which token, for what."""

from typing import Any

import jwt
import pytest

from infra.local.github_host.rest.api import ROUTES
from infra.local.github_host.rest.routing import Authority, Route
from tests.contracts.github.scene import EVERYTHING, Caller, Scene, refusal

REPOSITORY_ROUTES = [route for route in ROUTES if route.authority is Authority.INSTALLATION]
SAMPLE_PARAMETERS = {
    "owner": "octo",
    "repo": "widgets",
    "branch": "main",
    "username": "rita",
    "pull_number": 1,
    "issue_number": 1,
    "comment_id": 1,
    "review_id": 1,
    "run_id": 1,
    "job_id": 1,
    "check_run_id": 1,
    "file_sha": "a" * 40,
    "tree_sha": "a" * 40,
    "commit_sha": "a" * 40,
    "ref": "heads/none",
    "basehead": "main...main",
}


def path_of(route: Route) -> str:
    return route.template.format(**SAMPLE_PARAMETERS)


@pytest.mark.parametrize(
    ("issued", "expires", "status"),
    [(-60, 540, 200), (0, 599, 200), (-60, 600, 401), (-60, 601, 401), (1, 500, 401), (-600, 0, 401), (-600, -1, 401)],
)
def test_an_app_token_is_good_from_its_issue_until_its_end_and_for_less_than_ten_minutes(
    unchanging: Scene, issued: int, expires: int, status: int
) -> None:
    assert (
        unchanging.as_app(unchanging.app_token(issued=issued, expires=expires)).rest("GET", "/app").status_code
        == status
    )


def test_an_app_token_that_lives_too_long_is_told_so(unchanging: Scene) -> None:
    answer = unchanging.as_app(unchanging.app_token(expires=600)).rest("GET", "/app")
    assert refusal(answer) == (401, "'Expiration time' claim ('exp') is too far in the future")


def test_an_app_token_must_be_signed_by_the_app_it_names(github: Scene) -> None:
    other = github.host.add_app("other", permissions={})
    now = int(github.clock.now.timestamp())
    claims = {"iat": now - 60, "exp": now + 500, "iss": str(github.app.app_id)}
    forged = jwt.encode(claims, other.private_key, algorithm="RS256")
    unsigned = jwt.encode(claims, "", algorithm="none")
    symmetric = jwt.encode(claims, "s" * 32, algorithm="HS256")
    for token in (forged, unsigned, symmetric, "nonsense"):
        assert refusal(github.as_app(token).rest("GET", "/app")) == (401, "A JSON web token could not be decoded")


def test_a_call_without_a_credential_or_with_an_unknown_one_is_refused(unchanging: Scene) -> None:
    answer = unchanging.client.get(f"{unchanging.host.api_url}/repos/octo/widgets")
    assert refusal(answer) == (401, "Requires authentication")
    assert refusal(Caller(unchanging.host, unchanging.client, "gh" + "s_unknown").rest("GET", "")) == (
        401,
        "Bad credentials",
    )


def test_an_installation_token_is_no_app_token_and_the_other_way_round(unchanging: Scene) -> None:
    assert unchanging.caller().rest("GET", "/app").status_code == 401
    assert unchanging.as_app().rest("GET", "").status_code == 401


def test_a_token_lives_for_an_hour(github: Scene) -> None:
    answer = github.mint({})
    assert answer.json()["expires_at"] == "2026-03-02T11:00:00Z"
    caller = Caller(github.host, github.client, answer.json()["token"])
    github.clock.advance(3599)
    assert caller.rest("GET", "").status_code == 200
    github.clock.advance(1)
    assert refusal(caller.rest("GET", "")) == (401, "Bad credentials")


def test_a_token_is_longer_than_the_classic_forty_characters_and_names_its_app(unchanging: Scene) -> None:
    token = unchanging.mint({}).json()["token"]
    assert token.startswith(f"ghs_{unchanging.app.app_id}_")
    assert len(token) > 200


def test_a_token_has_what_it_asks_for_and_metadata(unchanging: Scene) -> None:
    permissions = unchanging.mint({"permissions": {"contents": "read"}}).json()["permissions"]
    assert permissions == {"contents": "read", "metadata": "read"}
    assert unchanging.mint({}).json()["permissions"] == {**EVERYTHING, "metadata": "read"}


def test_a_token_for_no_permissions_is_one_for_all(unchanging: Scene) -> None:
    permissions = unchanging.mint({"permissions": {}}).json()["permissions"]
    assert permissions == {"metadata": "read", **EVERYTHING}


@pytest.mark.parametrize(
    "asked", [{"workflows": "write"}, {"checks": "write"}, {"contents": "admin"}, {"contents": "x"}]
)
def test_a_token_cannot_have_more_than_its_installation(unchanging: Scene, asked: dict[str, str]) -> None:
    expected = "The permissions requested are not granted to this installation."
    assert refusal(unchanging.mint({"permissions": asked})) == (422, expected)


def test_a_token_is_for_the_repositories_it_names_by_name_or_number(github: Scene) -> None:
    second = github.host.add_repository("octo/gadgets")
    github.installation.repositories.append(second)
    for body in ({"repositories": ["gadgets"]}, {"repository_ids": [second.id]}):
        answer = github.mint(body)
        assert [one["full_name"] for one in answer.json()["repositories"]] == ["octo/gadgets"]
        caller = Caller(github.host, github.client, answer.json()["token"])
        assert caller.rest("GET", "/repos/octo/gadgets").status_code == 200
        assert refusal(caller.rest("GET", "/repos/octo/widgets")) == (404, "Not Found")


def test_a_token_for_a_repository_outside_the_installation_is_refused(github: Scene) -> None:
    stranger = github.host.add_repository("other/things")
    assert github.mint({"repositories": ["things"]}).status_code == 422
    assert github.mint({"repository_ids": [stranger.id]}).status_code == 422
    assert github.mint({"repository_ids": list(range(501))}).status_code == 422


@pytest.mark.parametrize("name", ["octo/nothing", "other/secret"])
def test_a_repository_that_may_not_be_seen_does_not_exist(github: Scene, name: str) -> None:
    github.host.add_repository("other/secret")
    assert refusal(github.caller().rest("GET", f"/repos/{name}")) == (404, "Not Found")


def test_a_suspended_installation_mints_nothing_and_its_tokens_stop(github: Scene) -> None:
    caller = github.caller()
    github.installation.suspend()
    suspended = (403, "This installation has been suspended")
    assert refusal(github.mint({})) == suspended
    assert refusal(caller.rest("GET", "")) == suspended
    github.installation.unsuspend()
    assert caller.rest("GET", "").status_code == 200


def test_a_removed_installation_is_not_found_and_its_tokens_are_bad(github: Scene) -> None:
    caller = github.caller()
    github.installation.remove()
    assert refusal(github.mint({})) == (404, "Not Found")
    assert refusal(caller.rest("GET", "")) == (401, "Bad credentials")


def test_an_app_mints_for_its_own_installations_alone(github: Scene) -> None:
    other = github.host.add_app("other", permissions={})
    answer = github.as_app(github.app_token(other)).rest(
        "POST", f"/app/installations/{github.installation.id}/access_tokens", {}
    )
    assert refusal(answer) == (404, "Not Found")


@pytest.mark.parametrize("route", REPOSITORY_ROUTES, ids=lambda route: route.operation)
def test_every_operation_wants_one_of_its_permissions_and_names_them(unchanging: Scene, route: Route) -> None:
    needed = {need.permission for need in route.needs}
    assert needed
    if needed != {"metadata"}:
        others = {name: level for name, level in EVERYTHING.items() if name not in needed}
        answer = unchanging.caller(others).rest(route.method, path_of(route), {} if route.writes else None)
        assert refusal(answer) == (403, "Resource not accessible by integration")
        accepted = "; ".join(f"{need.permission}={need.level}" for need in route.needs)
        assert answer.headers["X-Accepted-GitHub-Permissions"] == accepted


@pytest.mark.parametrize(
    ("route", "need"),
    [(route, need) for route in REPOSITORY_ROUTES for need in route.needs],
    ids=lambda value: value.operation if isinstance(value, Route) else str(value),
)
def test_one_of_an_operations_permissions_is_enough(unchanging: Scene, route: Route, need: Any) -> None:
    answer = unchanging.caller({need.permission: need.level}).rest(
        route.method, path_of(route), {} if route.writes else None
    )
    assert answer.status_code != 403


@pytest.mark.parametrize(
    "route", [route for route in REPOSITORY_ROUTES if route.writes], ids=lambda route: route.operation
)
def test_reading_is_not_enough_to_write(unchanging: Scene, route: Route) -> None:
    reading = {need.permission: "read" for need in route.needs}
    assert unchanging.caller(reading).rest(route.method, path_of(route), {}).status_code == 403


@pytest.mark.parametrize(
    "route", [route for route in REPOSITORY_ROUTES if route.writes], ids=lambda route: route.operation
)
def test_an_archived_repository_takes_no_writes(github: Scene, route: Route) -> None:
    github.repository.archived = True
    caller = github.caller()
    answer = caller.rest(route.method, path_of(route), {})
    assert refusal(answer) == (403, "Repository was archived so is read-only.")
    assert caller.get("")["archived"] is True


def test_a_permission_taken_from_the_installation_is_gone_from_its_tokens(github: Scene) -> None:
    caller = github.caller()
    github.installation.permissions = {"metadata": "read"}
    assert caller.rest("GET", "pulls/1").status_code == 403


def test_a_token_that_was_just_minted_may_be_refused_for_some_seconds(github: Scene) -> None:
    github.host.limits.token_seconds = 5
    caller = github.caller()
    bad = (401, "Bad credentials")
    assert refusal(caller.rest("GET", "")) == bad
    github.clock.advance(4)
    assert refusal(caller.rest("GET", "")) == bad
    github.clock.advance(1)
    assert caller.rest("GET", "").status_code == 200


def public_repository(github: Scene) -> str:
    repository = github.host.add_repository("stranger/open", private=False)
    repository.commit("main", {"x": "x\n"}, "Begin")
    return "/repos/stranger/open"


def test_a_public_repository_is_read_without_an_installation_but_not_written(github: Scene) -> None:
    where, caller = public_repository(github), github.caller()
    assert caller.get(where)["private"] is False
    assert caller.get(f"{where}/branches/main")["name"] == "main"
    answer = caller.rest("POST", f"{where}/git/refs", {"ref": "refs/heads/x", "sha": github.head})
    assert refusal(answer) == (403, "Resource not accessible by integration")
    assert answer.headers["X-Accepted-GitHub-Permissions"] == "contents=write"


def test_who_may_do_what_in_a_public_repository_is_told_to_nobody_from_outside(github: Scene) -> None:
    answer = github.caller().rest("GET", f"{public_repository(github)}/collaborators/rita/permission")
    assert refusal(answer) == (403, "Must have push access to view collaborator permission.")


def test_the_head_of_a_pull_request_from_a_fork_cannot_be_written_without_an_installation_there(github: Scene) -> None:
    fork = github.host.add_repository("abel/widgets", fork_of=github.repository, private=False)
    sha = fork.commit("patch", {"x": "x\n"}, "From afar", author=github.author)
    github.repository.open_pull("patch", "main", github.author, "From afar", head_repository=fork)
    move = ("PATCH", "/repos/abel/widgets/git/refs/heads/patch", {"sha": github.base, "force": True})
    assert refusal(github.caller().rest(*move)) == (403, "Resource not accessible by integration")
    assert fork.tip("patch") == sha
    fork.private = True
    assert refusal(github.caller().rest(*move)) == (404, "Not Found")
    github.installation.repositories.append(fork)
    assert github.caller().rest(*move).status_code == 200


def test_every_refusal_has_its_words_its_status_and_the_page_that_explains_it(github: Scene) -> None:
    caller = github.caller()
    page = "https://docs.github.com/rest/git/refs#update-a-reference"
    answer = caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": github.base})
    message = "Update is not a fast forward"
    assert answer.json() == {"message": message, "documentation_url": page, "status": "422"}
