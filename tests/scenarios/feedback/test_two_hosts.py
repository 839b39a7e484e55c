"""Two connections at once, one of them on a GitHub Enterprise Server: nothing of one reaches the other (issue: hosts).

The two hosts hand out the same numbers: repository, pull request, people, installation and deliveries are called alike
on both. Only what tells connections apart keeps them apart.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from autoswe.cli.app import assemble
from infra.local.assembly import LocalAssembly
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.faults import lack_field
from infra.local.github_host.webhooks.deliveries import Delivery
from tests.scenarios.story import Story
from tests.support.containers.warm import warm_task


class Twins(NamedTuple):
    """The same pull request on two hosts, as far as numbers and names go."""

    cloud: Story
    enterprise: Story

    def finish(self) -> None:
        self.cloud.finish()


class Rounds(NamedTuple):
    """Twins of which one got a round while the other one's round was waiting.

    ``held`` is the slot of the one that waited, ``asked`` what each host was asked, by connection.
    """

    twins: Twins
    held: dict[str, Any]
    asked: dict[str, tuple[Call, ...]]


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rounds]:
    root = tmp_path_factory.mktemp("twins")
    with (
        LocalAssembly(root / "cloud", task=warm_task()) as assembly,
        GitHubHost(assembly.clock.now, root / "enterprise", enterprise_version="3.19.0") as enterprise,
    ):
        # An App that only one of them knows sets the Apps' numbers apart, and somebody the people's right again.
        enterprise.add_app("another", permissions={})
        assembly.host.add_user("somebody")
        twins = _begin(assembly, enterprise, "octo/twin")
        started: list[list[Any]] = []

        def meanwhile(_: float) -> None:
            if not started:
                twins.enterprise.request_changes()
                started.append(twins.cloud.rows("INFLIGHT"))

        for story in twins:
            story.settle_ci("success")
        twins.cloud.on_wait(meanwhile)
        twins.cloud.request_changes()
        twins.finish()
        [[held]] = started
        yield Rounds(twins, held, {story.site.connection: tuple(story.site.host.calls) for story in twins})


@pytest.fixture(scope="module")
def twins(rounds: Rounds) -> Twins:
    """Other twins, of which nobody asks anything that is granted."""
    return _begin(rounds.twins.cloud.assembly, rounds.twins.enterprise.site.host, "octo/other-twin")


def _begin(assembly: LocalAssembly, enterprise: GitHubHost, name: str) -> Twins:
    return Twins(Story.begin(assembly, full_name=name), Story.begin(assembly, full_name=name, host=enterprise))


def _numbers(story: Story) -> tuple[object, ...]:
    request = next(one.guid for one in story.site.host.deliveries if one.event == "pull_request_review")
    people = story.reviewer.id, story.pull.author.id
    return story.repository.id, story.repository.full_name, story.pull.number, people, request


def _trigger(story: Story) -> Delivery:
    """Return the delivery of a command that was written and not delivered yet."""
    story.pull.comment(story.reviewer, "/auto-swe fix", deliver=False)
    return story.site.host.deliveries[-1]


def _why(story: Story) -> str:
    asked = ["why", f"{story.repository.full_name}#{story.pull.number}", "--connection", story.site.connection]
    return CliRunner().invoke(assemble([]), asked).stdout


def test_the_enterprise_hosts_api_is_below_its_own_name(twins: Twins) -> None:
    host = twins.enterprise.site.host
    assert (host.api_url, host.graphql_url) == (f"{host.url}/api/v3", f"{host.url}/api/graphql")
    assert host.url != twins.cloud.site.host.url


def test_twin_pull_requests_get_a_round_each_with_its_own_app_token_comments_and_rows(rounds: Rounds) -> None:
    twins = rounds.twins
    assert _numbers(twins.cloud) == _numbers(twins.enterprise)
    assert twins.cloud.site.app.app_id != twins.enterprise.site.app.app_id
    for story, other in (twins, reversed(twins)):
        assert story.fire_outcomes() == ["succeeded"]
        assert len(story.commits()) == len(story.summaries()) == 1
        assert [len(thread) for thread in story.replies()] == [1, 1]
        # A token of the other host would have been refused with 401.
        calls = rounds.asked[story.site.connection]
        assert {call.app for call in calls} == {story.site.app.slug}
        assert not {call.status for call in calls} & {401, 403}
        assert not set(story.commits()) & set(other.commits())
        assert other.site.app.bot not in {comment.author for comment in story.pull.comments}
        told = _why(story)
        [own], [foreign] = story.executions(), other.executions()
        assert story.commits()[0] in told
        assert own.name in told
        assert other.commits()[0] not in told
        assert foreign.name not in told


def test_a_delivery_that_is_signed_with_the_other_connections_secret_is_refused(twins: Twins) -> None:
    for story, other in (twins, reversed(twins)):
        before = other.rows(""), len(other.site.host.calls)
        delivery = _trigger(story)
        astray = replace(delivery, app=replace(delivery.app, webhook_url=other.site.app.webhook_url), attempts=[])
        assert story.site.host.deliver(astray).status == 401
        twins.finish()
        assert (other.rows(""), len(other.site.host.calls)) == before
        assert (story.executions(), other.executions()) == ([], [])


def test_a_round_on_one_host_holds_up_nothing_on_the_other(rounds: Rounds) -> None:
    assert rounds.held["holder"].startswith(f"DECISION#{rounds.twins.cloud.site.connection}#")
    for story in rounds.twins:
        assert story.fire_outcomes() == ["succeeded"]
        assert story.slot_is_free()
        assert "arrived after" not in story.summaries()[0].body


def test_being_a_member_on_one_host_means_nothing_for_the_same_number_on_the_other(twins: Twins) -> None:
    assert twins.cloud.stranger.id == twins.enterprise.stranger.id
    twins.cloud.assembly.link_member(twins.cloud.site, twins.cloud.stranger)
    twins.enterprise.repository.collaborators.set_permission(twins.enterprise.stranger, "write")
    twins.enterprise.pull.comment(twins.enterprise.stranger, "/auto-swe fix")
    twins.finish()
    assert twins.enterprise.executions() == []
    assert twins.enterprise.said_nothing()


def test_an_enterprise_host_that_cannot_compare_and_swap_over_graphql_is_pushed_to_over_rest(twins: Twins) -> None:
    host = twins.enterprise.site.host
    story = Story.begin(twins.cloud.assembly, full_name="octo/another", host=host)
    host.faults.add("graphql UpdateRefs", lack_field("Mutation", "updateRefs"), times=-1)
    story.settle_ci("success")
    story.request_changes()
    twins.finish()
    host.faults.clear()
    assert story.fire_outcomes() == ["succeeded"]
    assert len(story.commits()) == 1
    assert "PATCH /repos/{owner}/{repo}/git/refs/{ref}" in {call.operation for call in host.calls}
