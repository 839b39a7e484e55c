"""Before any token is minted: what lets a review run begin, and what stops it (review §4.4, §9, §11)."""

from typing import Any

import pytest

from autoswe.contracts.review.run import PreflightOutcome, RunInputs, StartedBy
from autoswe.rules.review.run.naming import namespace_of
from autoswe.rules.settings.registry import LIVE_REVIEWS, REVIEWS
from autoswe.rules.settings.resolution import PLATFORM, Place
from tests.support.review.fakes import EXECUTION, ORG
from tests.support.review.stage import ReviewStage

LATER, LATEST = f"{EXECUTION}-later", f"{EXECUTION}-latest"


def other(stage: ReviewStage, execution: str, **changes: Any) -> ReviewStage:
    """Start another execution on the same platform, a second later."""
    stage.clock.advance(1)
    started = ReviewStage(execution=execution, clock=stage.clock, **{"inputs": stage.inputs, **changes})
    started.records, started.runs, started.leases = stage.records, stage.runs, stage.leases
    started.artifacts, started.assessments, started.approvals = stage.artifacts, stage.assessments, stage.approvals
    started.host = stage.host
    return started


def test_a_run_that_may_begin_gets_its_facts_and_its_inputs_are_kept_typed() -> None:
    stage = ReviewStage(inputs={"org": ORG, "dry_run": False, "max_runtime_minutes": 10, "approve_tiers": "trivial"})
    answer = stage.preflight()
    assert answer.outcome is PreflightOutcome.PROCEED
    assert answer.run is not None
    assert (answer.run.namespace, answer.run.attempt) == (namespace_of(EXECUTION), 1)
    assert (answer.run.org, answer.run.dry_run, answer.run.max_concurrent_agents) == (ORG, False, 5)
    assert answer.run.task_seconds == (10 + 15) * 60
    kept = RunInputs.model_validate_json(stage.artifacts.get(stage.runs.kept[stage.namespace].inputs))
    assert (kept.approve_tiers, kept.max_pull_requests) == (("trivial",), 20)


def test_a_reviewer_without_a_model_stands_in_the_place_of_the_model_that_was_asked_for() -> None:
    for agent, credential, model in (("rules", None, "rules"), ("command", "A" * 40, "gpt-6-astra")):
        inputs = {"org": ORG, "model": "GPT-6 Astra"}
        stage = ReviewStage(inputs=inputs, agent=agent, model_credential=credential)
        assert stage.preflight().outcome is PreflightOutcome.PROCEED
        kept = RunInputs.model_validate_json(stage.artifacts.get(stage.runs.kept[stage.namespace].inputs))
        assert kept.model == model


def test_with_the_kill_switch_off_no_run_begins_whoever_asks() -> None:
    values: list[dict[Place, object]] = [{}, {PLATFORM: False}, {PLATFORM: "on"}]
    for value in values:
        for started_by in StartedBy:
            stage = ReviewStage(given={"started_by": started_by})
            stage.records.stored = {REVIEWS.name: value}
            assert stage.preflight().outcome is PreflightOutcome.OFF
            assert (stage.runs.kept, stage.leases.kept) == ({}, {})


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"release": "e" * 64}, "release_digest"),
        ({"private_key": None}, "private_key"),
        ({"private_key": "not a key"}, "private_key"),
        ({"agent": "copilot"}, "model_credential"),
        ({"agent": "copilot", "model_credential": "ghp" + "_" + "A" * 36}, "model_credential"),
        ({"agent": "rules", "model_credential": "A" * 40}, "model_credential"),
        ({"agent": "nobody"}, "model_credential"),
    ],
)
def test_a_failing_check_refuses_the_run_and_quotes_nothing(changes: dict[str, Any], check: str) -> None:
    stage = ReviewStage(**changes)
    answer = stage.preflight()
    assert (answer.outcome, answer.reason, answer.run) == (PreflightOutcome.REFUSED, check, None)
    assert answer.sentences
    assert not any("AAAA" in sentence or "not a key" in sentence for sentence in answer.sentences)
    assert (stage.runs.kept, stage.leases.kept) == ({}, {})


def test_a_slug_that_is_none_and_a_connection_that_is_missing_refuse_even_a_dry_run() -> None:
    stage = ReviewStage(inputs={"org": ORG})
    stage.records.connections["review"] = stage.records.connections["review"].model_copy(update={"app_slug": "No Slug"})
    assert stage.preflight().reason == "app_slug"
    stage.records.connections.clear()
    assert stage.preflight().reason == "app_configured"


def test_a_live_run_without_the_app_is_a_bad_input() -> None:
    stage = ReviewStage()
    stage.records.connections.clear()
    assert stage.preflight().sentences == (
        "dry_run cannot be false: it must be true while no review App is configured",
    )


def test_every_bad_input_is_told_in_a_sentence_of_its_own() -> None:
    stage = ReviewStage(inputs={"org": "no org", "max_pull_requests": 257, "surprise": 1})
    answer = stage.preflight()
    assert answer.outcome is PreflightOutcome.REFUSED
    assert [sentence.split()[0] for sentence in answer.sentences] == ["'surprise'", "org", "max_pull_requests"]


def test_a_session_that_would_outlive_its_signed_addresses_is_refused() -> None:
    assert ReviewStage(inputs={"org": ORG, "max_runtime_minutes": 45}).preflight().reason == "max_runtime_minutes"
    longest = ReviewStage(inputs={"org": ORG, "max_runtime_minutes": 44}).preflight().run
    assert longest is not None
    assert longest.task_seconds < 3_600


@pytest.mark.parametrize(
    ("live", "asked", "dry"),
    [(False, {}, True), (True, {}, False), (False, {"dry_run": False}, True), (True, {"dry_run": True}, True)],
)
def test_a_schedules_run_is_dry_until_one_setting_says_otherwise(live: bool, asked: dict[str, Any], dry: bool) -> None:
    stage = ReviewStage(inputs={"org": ORG, **asked}, given={"started_by": StartedBy.SCHEDULE})
    stage.records.stored[LIVE_REVIEWS.name] = {PLATFORM: live}
    run = stage.preflight().run
    assert run is not None
    assert run.dry_run is dry


def test_a_persons_run_is_as_the_person_says_and_dry_unless_they_say_live() -> None:
    for asked, dry in (({}, True), ({"dry_run": True}, True), ({"dry_run": False}, False)):
        run = ReviewStage(inputs={"org": ORG, **asked}).preflight().run
        assert run is not None
        assert run.dry_run is dry


def test_a_second_live_run_waits_and_a_third_replaces_it() -> None:
    first = ReviewStage()
    assert first.preflight().outcome is PreflightOutcome.PROCEED
    second = other(first, LATER)
    waiting = second.preflight()
    assert (waiting.outcome, waiting.run) == (PreflightOutcome.WAIT, None)
    assert waiting.seconds > 0
    third = other(first, LATEST)
    assert third.preflight().outcome is PreflightOutcome.WAIT
    assert second.preflight().outcome is PreflightOutcome.REPLACED
    first.leases.release(ORG, EXECUTION)
    assert third.preflight().outcome is PreflightOutcome.PROCEED


def test_dry_runs_neither_wait_nor_block() -> None:
    live = ReviewStage()
    live.preflight()
    dry = other(live, LATER, inputs={"org": ORG})
    before = dict(live.leases.kept)
    assert dry.preflight().outcome is PreflightOutcome.PROCEED
    assert live.leases.kept == before
    assert live.preflight().outcome is PreflightOutcome.PROCEED


def test_asking_again_is_the_same_attempt() -> None:
    stage = ReviewStage()
    assert stage.preflight() == stage.preflight()
    assert len(stage.artifacts.stored) == 1


def test_a_replay_keeps_the_namespace_and_raises_the_attempt() -> None:
    stage = ReviewStage(inputs={"org": ORG})
    first = stage.preflight().run
    replay = other(stage, LATER, given={"replay_of": EXECUTION}).preflight().run
    assert first is not None
    assert replay is not None
    assert (replay.namespace, replay.run_id, replay.attempt) == (first.namespace, first.run_id, 2)


@pytest.mark.parametrize("inputs", [{"org": "another"}, {"org": ORG, "dry_run": False}])
def test_a_replay_of_another_organisation_or_mode_is_refused(inputs: dict[str, Any]) -> None:
    stage = ReviewStage(inputs={"org": ORG})
    stage.preflight()
    answer = other(stage, LATER, given={"replay_of": EXECUTION}, inputs=inputs).preflight()
    assert (answer.outcome, answer.reason) == (PreflightOutcome.REFUSED, "replay_of")
    assert stage.runs.kept[stage.namespace].attempt == 1


def test_a_replay_of_nothing_is_refused() -> None:
    answer = ReviewStage(given={"replay_of": LATER}).preflight()
    assert (answer.outcome, answer.reason) == (PreflightOutcome.REFUSED, "replay_of")
