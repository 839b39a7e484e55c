"""The local GitHub host as a GitHub Enterprise Server: what it says of itself, and what it does not limit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.github_host import GitHubHost
from tests.contracts.github.receiver import open_receiver
from tests.contracts.github.scene import Scene, open_scene

VERSION = "3.19.0"


@pytest.fixture
def enterprise(tmp_path: Path) -> Iterator[Scene]:
    with open_scene(tmp_path, enterprise_version=VERSION) as scene:
        yield scene


def test_rest_and_graphql_stand_below_the_hosts_own_name(enterprise: Scene) -> None:
    host: GitHubHost = enterprise.host
    assert host.api_url == f"{host.url}/api/v3"
    assert host.graphql_url == f"{host.url}/api/graphql"
    assert enterprise.caller().get("")["url"] == f"{host.api_url}/repos/octo/widgets"


def test_every_answer_names_the_version_which_github_itself_does_not(enterprise: Scene, unchanging: Scene) -> None:
    assert enterprise.caller().rest("GET", "").headers["X-GitHub-Enterprise-Version"] == VERSION
    assert "X-GitHub-Enterprise-Version" not in unchanging.caller().rest("GET", "").headers


def test_what_a_bot_commits_is_not_signed(enterprise: Scene) -> None:
    tree = enterprise.caller().get(f"git/commits/{enterprise.head}")["tree"]["sha"]
    asked = {"message": "Fix", "tree": tree, "parents": [enterprise.head]}
    assert enterprise.caller().rest("POST", "git/commits", asked).json()["verification"]["verified"] is False


def test_no_rate_is_limited_and_none_is_told(enterprise: Scene) -> None:
    enterprise.host.limits.requests_per_hour = 1
    caller = enterprise.caller()
    answers = [caller.rest("GET", "") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert not [name for answer in answers for name in answer.headers if name.lower().startswith("x-ratelimit")]
    asked = enterprise.client.post(
        enterprise.host.graphql_url,
        json={"query": "{ rateLimit { cost } }"},
        headers={"Authorization": f"Bearer {caller.token}"},
    )
    assert asked.json() == {"data": {"rateLimit": None}}


def test_webhooks_name_the_host_and_its_version(enterprise: Scene) -> None:
    with open_receiver() as receiver:
        enterprise.app.events, enterprise.app.webhook_url = ("issue_comment",), receiver.url
        enterprise.pull.comment(enterprise.reviewer, "Hello")
        [(headers, _)] = receiver.arrived
    assert headers["X-GitHub-Enterprise-Host"] == enterprise.host.url.removeprefix("http://")
    assert headers["X-GitHub-Enterprise-Version"] == VERSION
