"""With the kill switch off nothing starts, no token is minted, nothing is read from the host, and nothing is written
down to be decided on later: through each function, and wherever the switch was turned off (feedback §6).
"""

from collections.abc import Iterator
from typing import Any

import pytest

from autoswe.contracts.feedback.round import Gathered, GatherOutcome, PushOutcome
from autoswe.contracts.workflow import Returned
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.records.triggers import PullRequestScope
from autoswe.rules.settings.registry import KILL_SWITCH, OTHER_PULL_REQUESTS
from autoswe.rules.settings.resolution import PLATFORM, Place
from autoswe.steps.feedback import close_round as closing
from autoswe.steps.feedback import push_fix as pushing
from autoswe.steps.feedback.gather_feedback import gather_feedback
from autoswe.steps.feedback.gather_ports import Ports as GatherPorts
from tests.support.feedback.fakes import MACHINE, NOW, FakeRounds, request
from tests.support.feedback.rounds import Stage, changed
from tests.support.feedback.state import MockState, automation, mock_state, repository_record, save_records
from tests.support.handlers import load_handler
from tests.support.intake import deliveries
from tests.support.intake.deliveries import CONNECTION, REPOSITORY
from tests.support.intake.memory_ledger import MemorySecrets
from tests.support.intake.offers import guid
from tests.support.intake.stream_events import failures, inserted
from tests.support.mock_aws import running_on_mock_aws
from tests.support.mock_table import NAME

ACME, TOOLS = Place("acme"), Place("acme", "tools")
SWITCHED_OFF: list[dict[Place, bool | None]] = [
    {PLATFORM: None},
    {PLATFORM: False},
    {PLATFORM: True, ACME: False},
    {PLATFORM: True, ACME: True, TOOLS: False},
    {PLATFORM: True, TOOLS: False},
]


@pytest.fixture
def state() -> Iterator[MockState]:
    """Keep everything on record that a round needs, for a repository of a team."""
    with mock_state() as mocked:
        save_records(mocked.records, mocked.clock)
        mocked.records.save_repository(CONNECTION, REPOSITORY, repository_record(organization="acme", team="tools"))
        yield mocked


def switch(state: MockState, values: dict[Place, bool | None]) -> None:
    for place, value in values.items():
        state.records.save_setting(KILL_SWITCH, value, by="ann", at=state.clock(), place=place)


def call(function: str, state: MockState, event: dict[str, Any]) -> Any:
    """Call a function as Lambda would; it has a table and secrets, and no workflow that it could start."""
    environment = {"AUTOSWE_TABLE": NAME, "AUTOSWE_SECRETS_PREFIX": "p", "AUTOSWE_FEEDBACK_ROUND_ARN": "arn:nothing"}
    with running_on_mock_aws(environment, state.clock) as process:
        process.once("secrets", MemorySecrets)
        return load_handler(function)(event, None)


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_delivery_leaves_no_trace(state: MockState, values: dict[Place, bool | None]) -> None:
    switch(state, values)
    before = state.contents()
    answer = call("receive_delivery", state, deliveries.request(deliveries.discussion_comment()))
    assert (answer["statusCode"], answer["body"]) == (202, '{"outcome": "ignored", "reason": "kill_switch_off"}')
    assert state.contents() == before


def _take_others(state: MockState) -> str:
    """Let an automation take commands on pull requests of others, which are allowed; return what asks for another."""
    others = automation(pull_requests=(PullRequestScope.PLATFORM, PullRequestScope.OTHERS))
    state.records.save_automation(CONNECTION, others)
    state.records.save_setting(OTHER_PULL_REQUESTS, True, by="ann", at=state.clock(), place=TOOLS)
    return f"INTAKE#{CONNECTION}#{deliveries.GUID}"


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_command_on_a_pull_request_of_others_writes_no_intake(
    state: MockState, values: dict[Place, bool | None]
) -> None:
    _take_others(state)
    switch(state, values)
    before = state.contents()
    answer = call("receive_delivery", state, deliveries.request(deliveries.discussion_comment(number=8)))
    assert answer["body"] == '{"outcome": "ignored", "reason": "kill_switch_off"}'
    assert state.contents() == before


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_an_intake_that_was_written_before_is_ignored_without_a_token_or_a_look_at_the_host(
    state: MockState, values: dict[Place, bool | None]
) -> None:
    """The secrets of the process hold no key: whoever opened the host would fail."""
    intake = _take_others(state)
    call("receive_delivery", state, deliveries.request(deliveries.discussion_comment(number=8)))
    row = dict(state.mocked.get(intake))
    switch(state, values)
    before = state.contents()
    assert call("resolve_intake", state, inserted(row)) == failures()
    settled = state.mocked.get(intake)
    assert (settled["outcome"], settled["reason"]) == ("ignored", "kill_switch_off")
    assert [one for one in state.contents() if one["pk"] != intake] == [one for one in before if one["pk"] != intake]


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_decision_that_was_made_before_does_not_start(state: MockState, values: dict[Place, bool | None]) -> None:
    decided = state.decide(1)
    switch(state, values)
    before = state.contents()
    row = state.mocked.get(decided.decision_id)
    assert call("start_workflow", state, inserted(dict(row))) == failures()
    assert state.contents() == before


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_round_that_started_before_skips_without_opening_the_host(values: dict[Place, bool | None]) -> None:
    stage = _stage(values)

    def open_host(*_: object) -> Any:
        raise AssertionError("opened the host")

    ports = GatherPorts(lambda: NOW, stage.records, stage.rounds, stage.artifacts, open_host, open_host)
    gathered = gather_feedback(request(), ports)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.KILL_SWITCH_OFF)
    assert (stage.rounds.held_by, stage.artifacts.stored) == (None, {})


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_fix_that_was_made_before_is_not_pushed_and_the_host_is_not_asked(values: dict[Place, bool | None]) -> None:
    stage = _stage(values)
    stage.rounds = FakeRounds.holding()
    stage.fixed(changed())
    ports = pushing.Ports(stage.records, stage.rounds, stage.artifacts, MACHINE, lambda *_: stage.host)
    pushed = pushing.push_fix(stage.request(), ports)
    assert (pushed.outcome, pushed.reason) == (PushOutcome.REFUSED, PushRefusal.KILL_SWITCH_OFF)
    assert stage.host.asked == []


@pytest.mark.parametrize("values", SWITCHED_OFF)
def test_a_round_that_ends_writes_no_intake_for_what_came_meanwhile(values: dict[Place, bool | None]) -> None:
    stage = _stage(values)
    stage.rounds = FakeRounds.holding()
    stage.rounds.suppressed = ("late",)
    skipped = Returned(value=Gathered(outcome=GatherOutcome.SKIP_SILENT, reason="pull_closed"))
    closed = closing.close_round(request(gather=skipped), closing.Ports(stage.records, stage.rounds, lambda: NOW))
    assert (closed.outcome, closed.offered_again, stage.rounds.offered) == ("skipped", False, [])


@pytest.mark.parametrize("values", [{PLATFORM: False, TOOLS: True}, {PLATFORM: None, ACME: True}, {PLATFORM: True}])
def test_where_it_is_on_everything_goes_its_way(state: MockState, values: dict[Place, bool | None]) -> None:
    switch(state, values)
    answer = call("receive_delivery", state, deliveries.request(deliveries.discussion_comment()))
    assert answer["body"] == '{"outcome": "decided"}'
    _take_others(state)
    on_others = deliveries.discussion_comment(comment_id=502, number=8)
    answer = call("receive_delivery", state, deliveries.request(on_others, guid=guid(8)))
    assert answer["body"] == '{"outcome": "postponed"}'
    stage = _stage(values)
    stage.rounds = FakeRounds.holding()
    stage.rounds.suppressed = ("late",)
    skipped = Returned(value=Gathered(outcome=GatherOutcome.SKIP_SILENT, reason="pull_closed"))
    assert closing.close_round(
        request(gather=skipped), closing.Ports(stage.records, stage.rounds, lambda: NOW)
    ).offered_again


def _stage(values: dict[Place, bool | None]) -> Stage:
    stage = Stage(rounds=FakeRounds())
    stage.records.repository_record = repository_record(repository_id=10, organization="acme", team="tools")
    stage.records.stored = {KILL_SWITCH.name: {at: value for at, value in values.items() if value is not None}}
    return stage
