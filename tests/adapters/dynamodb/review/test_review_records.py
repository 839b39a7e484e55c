"""What the table keeps of review runs: attempts, leases, assessments, intents, and our own commits (review §6, §11)."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import pytest

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.review.rows import ApprovalIntent, ReviewRun, RunOutcome
from autoswe.dynamodb.review.approvals import ApprovalTable
from autoswe.dynamodb.review.assessments import AssessmentTable
from autoswe.dynamodb.review.leases import ReviewLeaseTable
from autoswe.dynamodb.review.pushed_commits import PushedCommitTable
from autoswe.dynamodb.review.runs import ReviewRunTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Contended
from autoswe.ports.review.runs import Approvals, Assessments, Leases, OurCommits, Remembered, ReviewedHead, ReviewRuns
from autoswe.rules.review.run.lease import LeaseAnswer
from autoswe.rules.review.run.ledger import Assessment
from autoswe.rules.review.run.naming import namespace_of
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from tests.support.feedback.state import MockState, connection
from tests.support.intake.ledger import disturbed_table

NAMESPACE = namespace_of("one")
REFERENCE = ArtifactReference(key="k", version_id="v", sha256="a" * 64, bytes=1)
HEAD, OTHER = "a" * 40, "b" * 40
HOUR = 3600


def run(**changes: object) -> ReviewRun:
    made = {
        "namespace": NAMESPACE,
        "connection": "review",
        "org": "acme",
        "dry_run": False,
        "attempt": 1,
        "execution": "one",
        "since": "2026-11-30T12:00:00+00:00",
        "inputs": REFERENCE,
        **changes,
    }
    return ReviewRun.model_validate(made)


def assessment(state: MockState, **changes: object) -> Assessment:
    made = Assessment("acme/tool", 7, HEAD, Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN, True, 5, state.clock())
    return replace(made, **changes)  # type: ignore[arg-type]  # each test names fields of it


class TestRuns:
    def test_a_run_begins_once_and_is_read_as_it_was_written(self, state: MockState) -> None:
        runs: ReviewRuns = ReviewRunTable(state.mocked.table, state.clock, state.backoff)
        assert runs.run(NAMESPACE) is None
        assert runs.begin(run())
        assert not runs.begin(run(execution="two"))
        assert runs.run(NAMESPACE) == run()

    def test_an_attempt_goes_on_only_from_what_it_saw(self, state: MockState) -> None:
        runs = ReviewRunTable(state.mocked.table, state.clock, state.backoff)
        runs.begin(run())
        second = run(execution="two", attempt=2)
        assert runs.go_on(run(), second)
        assert not runs.go_on(run(), run(selected=REFERENCE))
        assert not runs.go_on(run(), run(outcome=RunOutcome.FAILED))
        assert runs.run(NAMESPACE) == second

    def test_a_run_is_forgotten_after_ninety_days(self, state: MockState) -> None:
        ReviewRunTable(state.mocked.table, state.clock, state.backoff).begin(run())
        expires = state.mocked.get(f"RUNREVIEW#{NAMESPACE}")["expires_at"]
        assert expires == int((state.clock() + timedelta(days=90)).timestamp())


class TestLeases:
    def test_one_run_holds_an_organisation_however_its_name_is_written(self, state: MockState) -> None:
        leases: Leases = ReviewLeaseTable(state.mocked.table, state.clock, state.backoff)
        assert leases.ask("Acme", "one", state.clock(), HOUR) is LeaseAnswer.HELD
        later = state.clock() + timedelta(seconds=1)
        assert leases.ask("acme", "two", later, HOUR) is LeaseAnswer.WAIT
        assert leases.ask("other", "two", later, HOUR) is LeaseAnswer.HELD
        assert leases.held("ACME", "one", HOUR)
        assert not leases.held("acme", "two", HOUR)

    def test_a_lease_is_renewed_released_and_taken_when_it_is_over(self, state: MockState) -> None:
        leases = ReviewLeaseTable(state.mocked.table, state.clock, state.backoff)
        leases.ask("acme", "one", state.clock(), HOUR)
        state.clock.advance(HOUR)
        assert leases.held("acme", "one", HOUR)
        state.clock.advance(HOUR + 1)
        assert leases.ask("acme", "two", state.clock(), HOUR) is LeaseAnswer.HELD
        leases.release("acme", "one")
        assert leases.held("acme", "two", HOUR)
        leases.release("acme", "two")
        assert not leases.held("acme", "two", HOUR)

    def test_of_two_runs_that_ask_at_once_one_is_told_to_wait(self, state: MockState) -> None:
        asked: list[str] = []

        def rival(request: str) -> None:
            if request == "update_item" and not asked:
                asked.append(request)
                plain = ReviewLeaseTable(state.mocked.table, state.clock, state.backoff)
                assert plain.ask("acme", "two", state.clock() - timedelta(seconds=1), HOUR) is LeaseAnswer.HELD

        disturbed = ReviewLeaseTable(disturbed_table(state, before=rival), state.clock, state.backoff)
        assert disturbed.ask("acme", "one", state.clock(), HOUR) is LeaseAnswer.WAIT

    def test_a_lease_that_never_stands_still_is_contended(self, state: MockState) -> None:
        def rival(request: str) -> None:
            if request == "update_item":
                state.clock.advance(1)
                state.mocked.put("LOCK#review#acme", "row", fence=int(state.clock().timestamp()))

        disturbed = ReviewLeaseTable(disturbed_table(state, before=rival), state.clock, state.backoff)
        with pytest.raises(Contended):
            disturbed.ask("acme", "one", state.clock(), HOUR)

    def test_a_lease_that_cannot_be_read_is_no_free_one(self, state: MockState) -> None:
        state.mocked.put("LOCK#review#acme", "row", holder=7)
        with pytest.raises(MalformedRow):
            ReviewLeaseTable(state.mocked.table, state.clock, state.backoff).ask("acme", "one", state.clock(), HOUR)


class TestAssessments:
    def test_what_was_assessed_is_remembered_by_its_organisation(self, state: MockState) -> None:
        table: Assessments = AssessmentTable(state.mocked.table, state.clock, state.backoff)
        told = (assessment(state), assessment(state, number=8), assessment(state, head_sha=OTHER))
        table.record("Acme", told)
        assert set(table.remembered("acme").assessments) == set(told)
        assert table.remembered("other") == Remembered(())

    def test_of_one_head_the_newest_is_kept_in_whatever_order_they_come(self, state: MockState) -> None:
        table = AssessmentTable(state.mocked.table, state.clock, state.backoff)
        old = assessment(state)
        live = assessment(state, dry_run=False)
        new = assessment(state, assessed_at=state.clock() + timedelta(seconds=1), run_id=9)
        for number, order in enumerate(permutations((old, live, new)), start=1):
            moved = tuple(replace(one, number=number) for one in order)
            for one in moved:
                table.record("acme", [one])
            table.record("acme", moved)
            (kept,) = (one for one in table.remembered("acme").assessments if one.number == number)
            assert kept == replace(new, number=number)

    def test_of_equally_new_ones_the_live_one_is_kept(self, state: MockState) -> None:
        table = AssessmentTable(state.mocked.table, state.clock, state.backoff)
        table.record("acme", [assessment(state, dry_run=False)])
        table.record("acme", [assessment(state)])
        assert [one.dry_run for one in table.remembered("acme").assessments] == [False]

    def test_a_record_that_cannot_be_read_is_counted_left_out_and_replaced(self, state: MockState) -> None:
        table = AssessmentTable(state.mocked.table, state.clock, state.backoff)
        state.mocked.put("ASSESSED#acme", f"acme/tool#7#{HEAD}", verdict="nonsense")
        assert table.remembered("acme") == Remembered((), forgotten=1)
        table.record("acme", [assessment(state)])
        assert table.remembered("acme") == Remembered((assessment(state),))

    def test_a_record_expires_ninety_days_after_it_was_made(self, state: MockState) -> None:
        AssessmentTable(state.mocked.table, state.clock, state.backoff).record("acme", [assessment(state)])
        (row,) = state.mocked.rows("ASSESSED#acme")
        assert row["expires_at"] == int((state.clock() + timedelta(days=90)).timestamp())


class TestApprovals:
    def test_an_intent_is_read_with_its_run_and_gets_the_page_of_what_was_written(self, state: MockState) -> None:
        table: Approvals = ApprovalTable(state.mocked.table, state.clock, state.backoff)
        head = ReviewedHead("Acme/tool", 7, HEAD)
        assert table.intent(head) is None
        table.intend(head, NAMESPACE, Tier.TRIVIAL)
        intent = ApprovalIntent(namespace=NAMESPACE, tier=Tier.TRIVIAL, intended_at="2026-11-30T12:00:00Z")
        assert table.intent(head) == intent
        table.approved(head, NAMESPACE, "https://page")
        assert table.intent(head) == intent.model_copy(update={"review_url": "https://page"})

    def test_another_heads_or_runs_intent_is_left_alone(self, state: MockState) -> None:
        table = ApprovalTable(state.mocked.table, state.clock, state.backoff)
        head = ReviewedHead("acme/tool", 7, HEAD)
        table.intend(head, NAMESPACE, Tier.LOW_RISK)
        assert table.intent(replace(head, head_sha=OTHER)) is None
        table.approved(head, namespace_of("two"), "https://page")
        kept = table.intent(head)
        assert kept is not None
        assert kept.review_url is None

    def test_a_tier_that_cannot_be_approved_is_no_intent(self, state: MockState) -> None:
        table = ApprovalTable(state.mocked.table, state.clock, state.backoff)
        with pytest.raises(ValueError, match="tier"):
            table.intend(ReviewedHead("acme/tool", 7, HEAD), NAMESPACE, Tier.NEEDS_HUMAN)


class TestOurCommits:
    def test_a_commit_that_a_round_of_any_connection_recorded_is_ours(self, state: MockState) -> None:
        for name in ("feedback", "review"):
            state.records.save_connection(connection(name=name))
        state.mocked.put(f"COMMIT#feedback#acme/tool#{HEAD}", "row", decision_id="d")
        state.mocked.put(f"COMMIT#feedback#acme/other#{OTHER}", "row", decision_id="d")
        ours: OurCommits = PushedCommitTable(state.mocked.table, state.backoff)
        assert ours.pushed_by_us("acme/tool", [HEAD, OTHER, HEAD]) == {HEAD}
        assert ours.pushed_by_us("acme/tool", []) == frozenset()

    def test_many_commits_are_read_to_the_end(self, state: MockState) -> None:
        state.records.save_connection(connection(name="feedback"))
        commits = [f"{number:040x}" for number in range(250)]
        state.mocked.put(f"COMMIT#feedback#acme/tool#{commits[-1]}", "row", decision_id="d")
        assert PushedCommitTable(state.mocked.table, state.backoff).pushed_by_us("acme/tool", commits) == {commits[-1]}
