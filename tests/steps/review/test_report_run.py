"""Telling what a run did, remembering it, and giving the organisation back (review §6, §12, §18.7)."""

from dataclasses import replace
from typing import Any

import pytest

from autoswe.contracts.review.ledger import LedgerDocument
from autoswe.contracts.review.report import ReportDocument
from autoswe.contracts.review.rows import RunOutcome
from autoswe.contracts.review.run import EntryOutcome, PreflightOutcome, ReportOutcome
from autoswe.rules.review.run.naming import report_key, result_key
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from autoswe.steps.review.review_run import RunSuperseded
from tests.steps.review.test_preflight import LATER, other
from tests.support.review.fakes import EXECUTION, ORG, FakePull, FakeReviewHost
from tests.support.review.pulls import STATE
from tests.support.review.stage import ReviewStage

DRY = {"org": ORG}


def two_pulls(**changes: Any) -> ReviewStage:
    pulls = [FakePull(number=number, state=replace(STATE, changed_files=1)) for number in (1, 2)]
    return ReviewStage(host=FakeReviewHost(pulls), **changes)


def reported(stage: ReviewStage, attempt: int = 1) -> ReportDocument:
    stored = stage.artifacts.fetch(report_key(stage.namespace, attempt, "report.json"), 10**8)
    return ReportDocument.model_validate_json(stored)


def page(stage: ReviewStage, attempt: int = 1) -> str:
    return stage.artifacts.fetch(report_key(stage.namespace, attempt, "report.md"), 10**8).decode()


def test_results_are_told_remembered_and_exported() -> None:
    stage = two_pulls(inputs=DRY)
    one, two = stage.begin().entries
    stage.leave_session(one.key)
    for entry in (one, two):
        stage.apply(entry)
    answer = stage.report(EntryOutcome(key=one.key), EntryOutcome(key=two.key))
    document = reported(stage)
    assert answer.outcome is ReportOutcome.REPORTED
    assert (answer.counts["would-approve"], answer.counts["needs-human"], answer.counts["failed"]) == (1, 1, 0)
    assert answer.report == report_key(stage.namespace, 1, "report.json")
    assert [result.key for result in document.results] == ["tool-1", "tool-2"]
    assert {(kept.number, kept.verdict, kept.dry_run) for kept in stage.assessments.kept} == {
        (1, Verdict.WOULD_APPROVE, True),
        (2, Verdict.NEEDS_HUMAN, True),
    }
    stored = stage.artifacts.fetch(report_key(stage.namespace, 1, "ledger.json"), 10**8)
    exported = LedgerDocument.model_validate_json(stored)
    assert {entry.assessment() for entry in exported.entries} == set(stage.assessments.kept)
    assert document.ledger_entries == 2
    assert "dry run" in page(stage).splitlines()[0]


def test_an_entry_without_a_result_has_failed_at_what_failed_and_is_not_remembered() -> None:
    stage = two_pulls(inputs=DRY)
    one, two = stage.begin().entries
    stage.report(EntryOutcome(key=one.key, step="prepare_review", error="Unavailable"), EntryOutcome(key=two.key))
    assert [stage.result(entry.key).reasons for entry in (one, two)] == [
        ("prepare_review failed: Unavailable",),
        ("the entry was left without a result",),
    ]
    assert {result.verdict for result in reported(stage).results} == {Verdict.FAILED}
    assert stage.assessments.kept == ()


def test_a_result_that_cannot_be_read_is_noted_and_hides_no_other() -> None:
    stage = two_pulls(inputs=DRY)
    one, two = stage.begin().entries
    stage.apply(two)
    stage.artifacts.put(result_key(stage.namespace, one.key, 1, "result.json"), b'{"schema": 1}')
    stage.report()
    assert [result.key for result in reported(stage).results] == ["tool-2"]
    assert "could not be read of" in page(stage)


def test_what_the_ledger_forgot_is_noted() -> None:
    stage = ReviewStage(inputs=DRY)
    stage.assessments.forgotten = 2
    stage.begin()
    stage.report()
    assert "2 assessments of the ledger could not be read" in page(stage)


def test_a_run_without_sessions_reports_its_selection_and_claims_no_failure() -> None:
    stage = ReviewStage(inputs={**DRY, "skip_agent": True})
    stage.begin()
    assert stage.report().outcome is ReportOutcome.REPORTED
    assert reported(stage).results == ()
    assert "No result was left by" not in page(stage)
    assert "no session was wanted" in page(stage)


def test_of_two_attempts_the_later_result_counts_and_a_settled_one_is_kept() -> None:
    stage = two_pulls(inputs=DRY)
    one, two = stage.begin().entries
    stage.leave_session(one.key)
    stage.apply(one)
    stage.report(EntryOutcome(key=two.key, step="apply_review", error="Unavailable"))
    replay = other(stage, LATER, given={"replay_of": EXECUTION})
    assert replay.begin().entries == (two,)
    replay.leave_session(two.key, Tier.NEEDS_HUMAN)
    replay.apply(two)
    replay.report(EntryOutcome(key=two.key))
    assert [(result.run_attempt, result.verdict) for result in reported(replay, 2).results] == [
        (1, Verdict.WOULD_APPROVE),
        (2, Verdict.NEEDS_HUMAN),
    ]


def test_the_first_live_run_approves_what_a_dry_run_reported() -> None:
    dry = ReviewStage(inputs=DRY)
    (entry,) = dry.begin().entries
    dry.leave_session(entry.key)
    dry.apply(entry)
    dry.report()
    live = other(dry, LATER, inputs={"org": ORG, "dry_run": False})
    (entry,) = live.begin().entries
    live.leave_session(entry.key)
    assert live.apply(entry).outcome is Verdict.APPROVED
    live.report()
    again = other(live, f"{LATER}-again", inputs={"org": ORG, "dry_run": False})
    assert again.begin().entries == ()


class TestEnding:
    def test_the_organisation_is_free_once_the_run_is_reported(self) -> None:
        stage = ReviewStage()
        stage.begin()
        stage.report()
        assert stage.leases.kept[ORG].holder is None
        assert stage.runs.kept[stage.namespace].outcome is RunOutcome.REPORTED

    def test_reporting_again_tells_the_same_and_remembers_nothing_new(self) -> None:
        stage = ReviewStage(inputs=DRY)
        (entry,) = stage.begin().entries
        stage.apply(entry)
        first, kept = stage.report(), stage.assessments.kept
        stage.clock.advance(60)
        assert stage.report() == first
        assert stage.assessments.kept == kept

    @pytest.mark.parametrize("error", ["Unavailable", "PreflightRefused"])
    def test_a_run_that_selected_nothing_fails_and_frees_the_organisation(self, error: str) -> None:
        stage = ReviewStage()
        stage.preflight()
        answer = stage.report(error=error)
        assert (answer.outcome, answer.reason, answer.report) == (ReportOutcome.FAILED, error, None)
        assert stage.leases.kept[ORG].holder is None
        assert stage.report(error=error) == answer

    def test_a_run_that_was_cut_short_is_reported_as_far_as_it_came_and_has_failed(self) -> None:
        stage = two_pulls(inputs=DRY)
        one, two = stage.begin().entries
        stage.apply(one)
        answer = stage.report(error="States.Runtime")
        assert (answer.outcome, answer.reason) == (ReportOutcome.FAILED, "States.Runtime")
        assert stage.result(two.key).reasons == ("the reviews failed: States.Runtime",)

    def test_a_refused_run_names_the_check(self) -> None:
        stage = ReviewStage(release="e" * 64)
        stage.preflight()
        assert stage.report().reason == "release_digest"

    def test_another_program_frees_the_organisation_and_reports_nothing(self) -> None:
        stage = ReviewStage()
        stage.begin()
        stage.release = "e" * 64
        assert stage.report().reason == "release_digest"
        assert stage.leases.kept[ORG].holder is None
        with pytest.raises(Exception, match="report"):
            reported(stage)

    def test_an_execution_that_was_overtaken_ends_nothing(self) -> None:
        stage = ReviewStage(inputs=DRY)
        stage.begin()
        other(stage, LATER, given={"replay_of": EXECUTION}).preflight()
        with pytest.raises(RunSuperseded):
            stage.report()

    def test_a_live_run_that_was_replayed_while_it_ran_frees_the_organisation_that_the_replay_waits_for(self) -> None:
        stage = ReviewStage(inputs={"org": ORG, "dry_run": False})
        stage.begin()
        replay = other(stage, LATER, given={"replay_of": EXECUTION})
        assert replay.preflight().outcome is PreflightOutcome.WAIT
        with pytest.raises(RunSuperseded):
            stage.report()
        assert replay.preflight().outcome is PreflightOutcome.PROCEED
