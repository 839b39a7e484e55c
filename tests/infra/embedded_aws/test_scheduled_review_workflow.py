"""The review workflow's file, played by the local engine with functions that answer as their contracts say."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.review.run import (
    EntryReference,
    EntryRequest,
    EntryState,
    Preflighted,
    PreflightOutcome,
    ReportOutcome,
    ReviewReported,
    ReviewRequest,
    RunFacts,
    Selected,
    SelectOutcome,
)
from autoswe.rules.review.run.naming import entry_key, namespace_of
from infra.local.embedded_aws.step_functions.executions import Execution
from tests.infra.conftest import Account
from tests.support.places import ROOT

FILE = (ROOT / "infra/workflows/scheduled_review.asl.json").read_text()
MAP = json.loads(FILE)["States"]["Review pulls"]
LARGEST_STATE = 256 * 1024
LARGEST_CAUSE = 32 * 1024
"""What a ``Catch`` may add (AWS Step Functions: "TaskFailed" of the API reference)."""

NAMESPACE = namespace_of("an execution")
FACTS = RunFacts(
    namespace=NAMESPACE, attempt=1, run_id=5, org="acme", dry_run=True, max_concurrent_agents=2, task_seconds=900
)
FUNCTIONS = ("preflight", "select_pulls", "prepare_review", "apply_review", "report_run")


class Unavailable(Exception):
    """The host did not answer."""


class Broken(Exception):
    """A failure that no retry names."""


def reference(key: str) -> ArtifactReference:
    return ArtifactReference(key=key, version_id="v" * 32, sha256="a" * 64, bytes=10**6)


def entries(count: int, repository: str = "tool") -> tuple[EntryReference, ...]:
    def of(key: str) -> EntryReference:
        return EntryReference(key=key, evidence=reference(entry_key(NAMESPACE, key, "evidence.json")))

    return tuple(of(f"{repository}-{number}") for number in range(10**9, 10**9 + count))


def selected(*chosen: EntryReference) -> Selected:
    return Selected(
        outcome=SelectOutcome.REVIEW if chosen else SelectOutcome.NOTHING,
        selection=reference("selection"),
        ledger=reference("ledger"),
        entries=chosen,
        candidates_seen=len(chosen),
        skipped=0,
    )


Step = Callable[[dict[str, Any]], dict[str, Any]]


class Played:
    """One account with the workflow; ``steps`` are what its functions do, ``calls`` what they were called with."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.steps: dict[str, Step] = {
            "preflight": lambda _: _plain(Preflighted(outcome=PreflightOutcome.PROCEED, run=FACTS)),
            "select_pulls": lambda _: _plain(selected(*entries(2))),
            "prepare_review": lambda _: {"manifest_url": "https://bucket/manifest"},
            "apply_review": lambda _: {"outcome": "needs-human", "reason": None},
            "report_run": lambda _: _plain(ReviewReported(outcome=ReportOutcome.REPORTED, report="key")),
        }
        for name in FUNCTIONS:
            account.handlers[name] = self._handler(name)

    def _handler(self, name: str) -> Any:
        def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
            self.calls.append((name, event))
            return self.steps[name](event)

        return handler

    def run(self) -> Execution:
        placeholders = {"".join(part.capitalize() for part in name.split("_")): name for name in FUNCTIONS}
        network = {"Cluster": "local", "SubnetA": "a", "SubnetB": "b", "SecurityGroup": "g"}
        substitutions = {**placeholders, **network, "ReviewTask": "program", "ReleaseDigest": "d" * 64}
        arn = self.account.aws.deploy(f"reviews-{next(self.account.numbers)}", FILE, substitutions)
        return self.account.aws.wait(
            self.account.aws.start(arn, "execution-1", json.dumps({"inputs": {"org": "acme"}}))
        )

    def called(self, name: str) -> list[dict[str, Any]]:
        return [event for called, event in self.calls if called == name]


def _plain(model: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = model.model_dump(mode="json")
    return dumped


@pytest.fixture
def played(account: Account) -> Played:
    return Played(account)


def failing(error: Exception) -> Step:
    def step(_: dict[str, Any]) -> dict[str, Any]:
        raise error

    return step


def test_every_entry_is_prepared_reviewed_and_applied_and_the_run_is_reported(played: Played) -> None:
    execution = played.run()
    assert (execution.status, execution.output["report"]) == ("SUCCEEDED", "key")
    keys = {entry.key for entry in entries(2)}
    assert {event["state"]["entry"]["key"] for event in played.called("apply_review")} == keys
    (reported,) = played.called("report_run")
    assert [left["key"] for left in reported["state"]["reviews"]] == sorted(keys)


def test_each_function_reads_what_the_workflow_calls_it_with(played: Played) -> None:
    played.run()
    for name, event in played.calls:
        kind = EntryRequest if name in {"prepare_review", "apply_review"} else ReviewRequest
        assert kind.model_validate_json(json.dumps(event)).state.release == "d" * 64


def test_an_entrys_failure_costs_that_entry_alone_and_is_named(played: Played) -> None:
    first, second = (entry.key for entry in entries(2))

    def prepare(event: dict[str, Any]) -> dict[str, Any]:
        if event["state"]["entry"]["key"] == first:
            raise Broken
        return {"manifest_url": "https://bucket/manifest"}

    played.steps["prepare_review"], played.steps["apply_review"] = prepare, failing(Broken())
    assert played.run().status == "SUCCEEDED"
    (reported,) = played.called("report_run")
    assert reported["state"]["reviews"] == [
        {"key": first, "step": "prepare_review", "error": "Broken"},
        {"key": second, "step": "apply_review", "error": "Broken"},
    ]


def test_a_session_that_fails_is_applied_with_its_error(played: Played) -> None:
    """The stand-in's only container is not called ``review``, so that every session fails to start."""
    played.run()
    for event in played.called("apply_review"):
        assert EntryState.model_validate_json(json.dumps(event["state"])).session_error is not None


def test_a_run_that_has_to_wait_asks_again_after_the_seconds_it_was_told(played: Played) -> None:
    answers = [
        Preflighted(outcome=PreflightOutcome.PROCEED, run=FACTS),
        Preflighted(outcome=PreflightOutcome.WAIT, seconds=300),
    ]
    played.steps["preflight"] = lambda _: _plain(answers.pop())
    waited: list[float] = []
    played.account.aws.clock.on_wait = waited.append
    execution = played.run()
    played.account.aws.clock.on_wait = None
    assert execution.status == "SUCCEEDED"
    assert 300 in waited


@pytest.mark.parametrize("outcome", [PreflightOutcome.OFF, PreflightOutcome.REPLACED])
def test_a_run_that_is_off_or_replaced_ends_without_a_trace(played: Played, outcome: PreflightOutcome) -> None:
    played.steps["preflight"] = lambda _: _plain(Preflighted(outcome=outcome, reason="why"))
    execution = played.run()
    assert (execution.status, execution.output["reason"]) == ("SUCCEEDED", "why")
    assert [name for name, _ in played.calls] == ["preflight"]


@pytest.mark.parametrize("step", ["preflight", "select_pulls"])
def test_a_run_that_cannot_select_is_reported_and_fails(played: Played, step: str) -> None:
    played.steps[step] = failing(Broken())
    played.steps["report_run"] = lambda _: _plain(ReviewReported(outcome=ReportOutcome.FAILED, reason="Broken"))
    assert played.run().status == "FAILED"
    assert played.called("report_run")[0]["state"]["error"]["Error"] == "Broken"


def test_a_refused_run_is_ended_and_fails(played: Played) -> None:
    played.steps["preflight"] = lambda _: _plain(Preflighted(outcome=PreflightOutcome.REFUSED, reason="private_key"))
    played.steps["report_run"] = lambda _: _plain(ReviewReported(outcome=ReportOutcome.FAILED, reason="private_key"))
    assert played.run().status == "FAILED"
    assert [name for name, _ in played.calls] == ["preflight", "report_run"]


def test_with_nothing_to_review_the_run_is_reported(played: Played) -> None:
    played.steps["select_pulls"] = lambda _: _plain(selected())
    assert played.run().status == "SUCCEEDED"
    assert [name for name, _ in played.calls] == ["preflight", "select_pulls", "report_run"]


def test_a_fetch_is_tried_again_for_five_minutes_and_no_longer() -> None:
    rule = MAP["ItemProcessor"]["States"]["Apply review"]["Retry"][-1]
    assert {"AwsCallFailed", "Unavailable"} <= set(rule["ErrorEquals"])
    pauses = [
        min(rule["IntervalSeconds"] * rule["BackoffRate"] ** number, rule["MaxDelaySeconds"])
        for number in range(rule["MaxAttempts"])
    ]
    assert 240 <= sum(pauses) <= 300


def test_the_longest_names_of_the_most_entries_fit_into_the_workflows_state() -> None:
    state = {
        "inputs": {"org": "acme"},
        "release": "d" * 64,
        "preflight": {"value": _plain(Preflighted(outcome=PreflightOutcome.PROCEED, run=FACTS))},
        "select": {"value": _plain(selected(*entries(256, "r" * 100)))},
        "reviews": [
            {"key": entry.key, "step": "prepare_review", "error": "e" * 40} for entry in entries(256, "r" * 100)
        ],
    }
    assert len(json.dumps(state, separators=(",", ":"))) + LARGEST_CAUSE <= LARGEST_STATE
