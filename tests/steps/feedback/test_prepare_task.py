"""Handing the containers their input, and nothing else (architecture: the containers)."""

import json
from pathlib import Path

import pytest

from autoswe.contracts.feedback.fixing import AgentManifest, CollectManifest, GatesManifest
from autoswe.contracts.feedback.round import Gathered, GatherOutcome, Prepared, RoundRequest
from autoswe.contracts.workflow import Returned
from autoswe.rules.feedback.naming import artifact_key
from autoswe.steps.feedback.prepare_task import URL_SECONDS, Ports, prepare_task
from autoswe.steps.feedback.round_records import InputMismatch, SlotLost
from tests.support.feedback.fake_host import HEAD
from tests.support.feedback.fakes import DECISION, EXECUTION, FakeSigner
from tests.support.feedback.rounds import PLAN, Stage


def prepare(stage: Stage, signer: FakeSigner, request: RoundRequest | None = None) -> Prepared:
    ports = Ports(stage.records, stage.rounds, stage.artifacts, signer, "suggestions")
    return prepare_task(request or stage.request(), ports)


def _key(name: str) -> str:
    return artifact_key(DECISION.decision_id, EXECUTION, name, follow_up=False)


def test_each_container_gets_a_manifest_with_only_what_it_needs() -> None:
    stage = Stage()
    prepared = prepare(stage, FakeSigner())
    agent = AgentManifest.model_validate_json(stage.artifacts.fetch(_key("agent-manifest.json"), 10**6))
    collect = CollectManifest.model_validate_json(stage.artifacts.fetch(_key("collect-manifest.json"), 10**6))
    gates = GatesManifest.model_validate_json(stage.artifacts.fetch(_key("gates-manifest.json"), 10**6))
    assert (agent.outcome.url, agent.brief.reference.key) == (f"put:{_key('outcome.json')}", "brief")
    assert (collect.change.url, collect.head_sha) == (f"put:{_key('change.json')}", HEAD)
    assert (gates.change_url, gates.report.url) == (f"get:{_key('change.json')}", f"put:{_key('gates.json')}")
    assert gates.plan == PLAN
    assert {agent.source.reference.key, collect.source.reference.key, gates.source.reference.key} == {"source"}
    assert (prepared.outcome_key, prepared.change_key, prepared.gates_key) == tuple(
        _key(f"{name}.json") for name in ("outcome", "change", "gates")
    )


def test_the_session_may_touch_exactly_the_keys_of_this_execution() -> None:
    signer = FakeSigner()
    prepare(Stage(), signer)
    [(reads, writes, seconds)] = signer.opened
    manifests = {_key(f"{name}-manifest.json") for name in ("agent", "collect", "gates")}
    assert reads == {"source", "brief", _key("change.json")} | manifests
    assert writes == {_key("outcome.json"), _key("change.json"), _key("gates.json")}
    assert seconds == URL_SECONDS


def test_the_addresses_outlive_the_tasks_time_out_in_the_workflow(workflow: dict[str, object]) -> None:
    states = workflow["States"]
    assert isinstance(states, dict)
    assert states["Run fixer"]["TimeoutSeconds"] < URL_SECONDS


@pytest.fixture
def workflow(repository_root: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((repository_root / "infra/workflows/feedback_round.asl.json").read_text())
    return loaded


def test_a_round_that_gathered_nothing_is_not_prepared() -> None:
    stage = Stage()
    skipped = Returned(value=Gathered(outcome=GatherOutcome.SKIP_SILENT, reason="pull_closed"))
    with pytest.raises(InputMismatch):
        prepare(stage, FakeSigner(), stage.request(gather=skipped))


def test_an_execution_that_lost_the_pull_request_prepares_nothing() -> None:
    stage, signer = Stage(), FakeSigner()
    stage.rounds.held_by = "another"
    with pytest.raises(SlotLost):
        prepare(stage, signer)
    assert signer.opened == []
