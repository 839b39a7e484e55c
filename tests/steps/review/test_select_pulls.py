"""Selecting what a run reviews, and keeping what every later step reads (review §5, §6, §12, §18)."""

from dataclasses import replace
from typing import Any

import pytest

from autoswe.contracts.review.candidates import Candidates
from autoswe.contracts.review.ledger import LedgerDocument
from autoswe.contracts.review.run import SelectOutcome
from autoswe.contracts.review.selection import SelectedPull, Selection
from autoswe.contracts.review.sides import Sides
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.review.diff.changed_files import REGULAR, ChangedFile, Side
from autoswe.rules.review.pulls.candidate import Account
from autoswe.rules.review.pulls.selection import SkipReason
from autoswe.rules.review.pulls.simulation import select_again
from autoswe.rules.review.run.ledger import Assessment
from autoswe.rules.review.run.naming import evidence_key
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from autoswe.steps.review.review_run import LeaseLost, PreflightRefused, RunSuperseded
from autoswe.steps.review.selected_entry import cut
from tests.steps.review.test_preflight import LATER, other
from tests.support.review.fakes import EXECUTION, ORG, FakePull, FakeReviewHost
from tests.support.review.pulls import BASE, COPILOT, EVENING, HEAD, MORNING, NOON, OTHER, STATE, review
from tests.support.review.stage import ReviewStage

ONE = replace(STATE, changed_files=1)


def pull(number: int, repository: str = "tool", **state: Any) -> FakePull:
    return FakePull(repository=f"{ORG}/{repository}", number=number, state=replace(ONE, **state))


def staged(*pulls: FakePull, **changes: Any) -> ReviewStage:
    stage = ReviewStage(host=FakeReviewHost(list(pulls)), **changes)
    stage.preflight()
    return stage


def selection_of(stage: ReviewStage) -> Selection:
    stored = stage.artifacts.fetch(evidence_key(stage.namespace, "selection.json"), 10**9)
    return Selection.model_validate_json(stored)


def reasons(selection: Selection) -> dict[int, SkipReason]:
    return {row.number: row.reason for row in selection.skipped}


def assessed(*, dry_run: bool, head_sha: str = HEAD) -> Assessment:
    return Assessment(f"{ORG}/tool", 7, head_sha, Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN, dry_run, 1, NOON)


class TestKeeping:
    def test_a_selected_pull_is_kept_whole_and_by_itself(self) -> None:
        stage = staged(FakePull())
        selected = stage.select()
        (entry,) = selected.entries
        kept = SelectedPull.model_validate_json(stage.artifacts.get(stage.evidence(entry).entry))
        assert selection_of(stage).pull_requests == (kept,)
        assert (entry.key, kept.key, kept.head_sha) == ("tool-7", "tool-7", HEAD)
        assert (selected.outcome, selected.candidates_seen, selected.skipped) == (SelectOutcome.REVIEW, 1, 0)

    def test_a_live_run_keeps_both_sides_and_a_dry_run_reads_none(self) -> None:
        live = staged(FakePull())
        (entry,) = live.select().entries
        files = live.evidence(entry).files
        assert files is not None
        sides = Sides.model_validate_json(live.artifacts.get(files))
        assert [(file.path, file.base and file.base.mode) for file in sides.files] == [("README.md", "100644")]
        dry = staged(FakePull(), inputs={"org": ORG})
        assert dry.evidence(dry.select().entries[0]).files is None
        assert "file_at" not in dry.host.asked

    def test_the_text_of_a_side_is_kept_only_where_the_whole_file_is_judged(self) -> None:
        stage = staged(FakePull())
        (entry,) = stage.select().entries
        files = stage.evidence(entry).files
        assert files is not None
        (file,) = Sides.model_validate_json(stage.artifacts.get(files)).files
        assert file.head is not None
        assert file.head.text is None, "a document's mode is all that is judged"

    @pytest.mark.parametrize(("room", "kept"), [(40, ["x", "y"]), (3, ["x", None]), (1, [None, None])])
    def test_beyond_what_is_kept_of_both_sides_a_text_counts_as_unread(
        self, room: int, kept: list[str | None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("autoswe.steps.review.selected_entry.MAX_SIDES_TEXT_BYTES", room)
        files = tuple(ChangedFile(name, "modified", 1, 1, "@@ -1 +1 @@") for name in ("go.mod", "uv.lock"))
        texts = {"go.mod": "x", "uv.lock": "y"}
        sides = {(sha, name): Side(REGULAR, text) for name, text in texts.items() for sha in (BASE, HEAD)}
        stage = staged(FakePull(files=files, sides=sides, state=replace(ONE, changed_files=2)))
        (entry,) = stage.select().entries
        stored = stage.evidence(entry).files
        assert stored is not None
        read = Sides.model_validate_json(stage.artifacts.get(stored)).files
        assert [file.head and file.head.text for file in read] == kept
        assert {file.head and file.head.mode for file in read} == {REGULAR}

    def test_what_it_decided_on_is_kept_so_that_todays_rules_decide_the_same(self) -> None:
        broken = replace(pull(1, updated_at=MORNING), unreadable=frozenset({"details"}))
        others = (pull(2, is_draft=True), pull(3, updated_at=EVENING), pull(4, updated_at=NOON))
        stage = staged(broken, *others, inputs={"org": ORG, "max_pull_requests": 1})
        stage.select()
        stored = stage.artifacts.fetch(evidence_key(stage.namespace, "candidates.json"), 10**9)
        kept = Candidates.model_validate_json(stored)
        policy = kept.policy
        again = select_again(policy.policy(), policy.remembered(), kept.candidates, policy.max_pull_requests)
        selection = selection_of(stage)
        assert reasons(selection) == {1: SkipReason.UNREADABLE, 2: SkipReason.DRAFT, 3: SkipReason.CAP}
        assert {name: told for name, told in again.items() if not name.endswith("#1")} == {
            f"{ORG}/tool#2": "draft",
            f"{ORG}/tool#3": "cap",
            f"{ORG}/tool#4": "selected",
        }

    def test_patches_bodies_and_messages_are_cut_and_said_to_be(self) -> None:
        long = ChangedFile("a.py", "modified", 1, 0, "@@ -1 +1 @@\n+" + "ä" * 40_000)
        stage = staged(FakePull(files=(long,), body="b" * 70_000, state=replace(ONE)))
        stage.select()
        (kept,) = selection_of(stage).pull_requests
        assert kept.files[0].patch_truncated
        assert len((kept.files[0].patch or "").encode()) <= 64 * 1024
        assert len(kept.body) == 64 * 1024
        assert kept.diff_bytes == len((long.patch or "").encode())

    def test_cutting_leaves_no_part_of_a_character(self) -> None:
        assert cut("aä", 2) == "a"
        assert cut("\ud800", 10) == "?"

    def test_without_agents_it_selects_and_starts_no_session(self) -> None:
        stage = staged(FakePull(), inputs={"org": ORG, "skip_agent": True})
        selected = stage.select()
        assert (selected.outcome, selected.entries) == (SelectOutcome.NOTHING, ())
        assert len(selection_of(stage).pull_requests) == 1


class TestReasons:
    def test_every_reason_is_counted_and_those_that_caught_nothing_count_zero(self) -> None:
        stage = staged(pull(1, is_draft=True), pull(2))
        stage.select()
        counts = selection_of(stage).skip_counts
        assert set(counts) == set(SkipReason)
        assert {reason: count for reason, count in counts.items() if count} == {SkipReason.DRAFT: 1}

    @pytest.mark.parametrize(
        ("changed", "reason"),
        [
            ({"archived": True}, SkipReason.REPOSITORY),
            ({"author": Account("Bot", "dependabot")}, SkipReason.BOT_AUTHOR),
            ({"author": None}, SkipReason.BOT_AUTHOR),
            ({"state": None}, SkipReason.UNREADABLE),
            ({"state": replace(ONE, state="MERGED")}, SkipReason.CLOSED),
            ({"state": replace(ONE, is_draft=True)}, SkipReason.DRAFT),
            ({"state": replace(ONE, mergeable="CONFLICTING")}, SkipReason.CONFLICTING),
            ({"state": replace(ONE, reviews=(review("CHANGES_REQUESTED"),))}, SkipReason.CHANGES_REQUESTED),
            ({"state": replace(ONE, reviews=(review("APPROVED"),))}, SkipReason.ALREADY_APPROVED),
            ({"state": replace(ONE, rollup=None)}, SkipReason.CI_NONE),
            ({"state": replace(ONE, rollup="PENDING")}, SkipReason.CI_PENDING),
            ({"state": replace(ONE, rollup="ERROR")}, SkipReason.CI_FAILING),
            ({"state": replace(ONE, changed_files=201)}, SkipReason.TOO_LARGE),
            ({"files": (ChangedFile("a", "added", 1, 0, "+" * 600_000),)}, SkipReason.TOO_LARGE),
            ({"details_head": OTHER}, SkipReason.HEAD_MOVED),
            ({"commits": (HEAD, OTHER)}, SkipReason.HEAD_MOVED),
            ({"unreadable": frozenset({"changes"})}, SkipReason.UNREADABLE),
            ({"unreadable": frozenset({"commits"})}, SkipReason.UNREADABLE),
        ],
    )
    def test_what_is_not_reviewed_is_told_with_its_reason(self, changed: dict[str, Any], reason: SkipReason) -> None:
        stage = staged(replace(FakePull(), **changed))
        assert stage.select().outcome is SelectOutcome.NOTHING
        assert reasons(selection_of(stage)) == {7: reason}

    def test_excluded_repositories_are_listed_and_left_out(self) -> None:
        stage = staged(pull(1, "tool"), pull(2, "secret"), exclusions=("Secret",))
        stage.select()
        assert reasons(selection_of(stage)) == {2: SkipReason.REPOSITORY}
        asked = staged(pull(1), pull(2, "secret"), inputs={"org": ORG, "exclude_repos": "tool"}, exclusions=("secret",))
        asked.select()
        assert reasons(selection_of(asked)) == {1: SkipReason.REPOSITORY}

    def test_of_what_can_be_reviewed_those_untouched_longest_are_taken_first(self) -> None:
        pulls = [pull(1, updated_at=EVENING), pull(2, updated_at=MORNING), pull(3, updated_at=NOON)]
        stage = staged(*pulls, inputs={"org": ORG, "max_pull_requests": 2})
        stage.select()
        assert reasons(selection_of(stage)) == {1: SkipReason.CAP}

    def test_what_is_too_large_takes_no_place_under_the_cap(self) -> None:
        large = replace(pull(1, updated_at=MORNING), files=(ChangedFile("a", "added", 1, 0, "+" * 600_000),))
        stage = staged(large, pull(2, updated_at=EVENING), inputs={"org": ORG, "max_pull_requests": 1})
        stage.select()
        assert reasons(selection_of(stage)) == {1: SkipReason.TOO_LARGE}

    def test_no_diff_is_read_once_the_cap_is_full(self) -> None:
        waiting = (pull(number, updated_at=EVENING) for number in (2, 3, 4))
        stage = staged(pull(1, updated_at=MORNING), *waiting, inputs={"org": ORG, "max_pull_requests": 1})
        stage.select()
        assert reasons(selection_of(stage)) == dict.fromkeys((2, 3, 4), SkipReason.CAP)
        assert stage.host.asked.count("changes") == 1

    def test_little_is_read_of_what_is_left_out_early(self) -> None:
        stage = staged(replace(FakePull(), author=COPILOT))
        stage.select()
        assert not {"details", "changes", "commits"} & set(stage.host.asked)
        drafts = staged(pull(1, is_draft=True))
        drafts.select()
        assert not {"details", "changes", "commits"} & set(drafts.host.asked)


class TestLedger:
    @pytest.mark.parametrize(
        ("dry_run", "of_dry_run", "skipped"),
        [(False, True, False), (False, False, True), (True, True, True), (True, False, True)],
    )
    def test_a_live_run_honours_live_assessments_alone_and_a_dry_run_both(
        self, dry_run: bool, of_dry_run: bool, skipped: bool
    ) -> None:
        stage = staged(FakePull(), inputs={"org": ORG, "dry_run": dry_run})
        stage.assessments.kept = (assessed(dry_run=of_dry_run),)
        stage.select()
        assert (reasons(selection_of(stage)) == {7: SkipReason.ALREADY_ASSESSED}) is skipped

    def test_reassess_looks_again_and_a_new_head_is_another(self) -> None:
        again = staged(FakePull(), inputs={"org": ORG, "reassess": True})
        again.assessments.kept = (assessed(dry_run=True),)
        assert again.select().outcome is SelectOutcome.REVIEW
        moved = staged(FakePull(), inputs={"org": ORG})
        moved.assessments.kept = (assessed(dry_run=True, head_sha=OTHER),)
        assert moved.select().outcome is SelectOutcome.REVIEW

    def test_the_merged_memory_is_kept_and_what_was_forgotten_is_told(self) -> None:
        stage = staged(FakePull())
        stage.assessments.kept, stage.assessments.forgotten = (assessed(dry_run=True),), 3
        selected = stage.select()
        kept = LedgerDocument.model_validate_json(stage.artifacts.get(selected.ledger))
        assert [entry.assessment() for entry in kept.entries] == [assessed(dry_run=True)]
        assert selected.forgotten == 3


class TestTargets:
    def test_a_scan_asks_for_the_whole_installation_and_named_repositories_for_theirs(self) -> None:
        scan = staged(pull(1, "tool"), pull(2, "site"))
        scan.select()
        assert scan.opened == [()]
        named = staged(pull(1, "tool"), pull(2, "site"), inputs={"org": ORG, "repositories": "site"})
        assert named.select().candidates_seen == 1
        assert named.opened == [("site",)]
        assert "repositories" not in named.host.asked

    def test_named_pulls_bypass_the_listing_and_the_exclusions_and_nothing_else(self) -> None:
        inputs = {"org": ORG, "pull_requests": "secret#1, secret#2"}
        stage = staged(pull(1, "secret"), pull(2, "secret", is_draft=True), inputs=inputs, exclusions=("secret",))
        selected = stage.select()
        assert [entry.key for entry in selected.entries] == ["secret-1"]
        assert reasons(selection_of(stage)) == {2: SkipReason.DRAFT}
        assert stage.opened == [("secret",)]
        assert "open_pulls" not in stage.host.asked

    def test_a_named_pull_that_cannot_be_read_fails_the_run(self) -> None:
        stage = staged(inputs={"org": ORG, "pull_requests": "tool#9"})
        with pytest.raises(Gone):
            stage.select()

    def test_a_listing_without_its_end_fails_the_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stage = staged(FakePull())

        def broken(_: object) -> None:
            raise PartialAnswer("a page is missing")

        monkeypatch.setattr(stage.host, "open_pulls", broken)
        with pytest.raises(PartialAnswer):
            stage.select()
        assert stage.runs.kept[stage.namespace].selected is None

    def test_an_installation_without_repositories_selects_nothing(self) -> None:
        assert staged().select().outcome is SelectOutcome.NOTHING


class TestToken:
    @pytest.mark.parametrize(
        ("host", "check"),
        [
            ({"slug": "another"}, "read_token_app"),
            ({"permissions": None}, "read_token_permissions"),
            ({"permissions": {"push": True, "maintain": False, "admin": False}}, "read_token_permissions"),
            ({"permissions": {"push": False, "maintain": False}}, "read_token_permissions"),
        ],
    )
    def test_a_token_that_is_not_what_it_should_be_is_refused_before_a_pull_is_read(
        self, host: dict[str, Any], check: str
    ) -> None:
        stage = ReviewStage(host=FakeReviewHost(**host))
        stage.preflight()
        with pytest.raises(PreflightRefused, match=check):
            stage.select()
        assert not {"open_pulls", "states", "changes"} & set(stage.host.asked)


class TestGoingOn:
    def test_a_retry_after_a_lost_answer_goes_on_with_what_was_selected(self) -> None:
        stage = staged(FakePull())
        first = stage.select()
        stage.host.pulls.clear()
        assert stage.select() == first

    def test_a_replay_leaves_out_what_is_settled_and_reviews_what_failed(self) -> None:
        stage = staged(pull(1), pull(2), inputs={"org": ORG})
        one, two = stage.select().entries
        stage.leave_session(one.key)
        stage.apply(one)
        stage.report()
        replay = other(stage, LATER, given={"replay_of": EXECUTION})
        replay.preflight()
        assert replay.select().entries == (two,)

    def test_an_execution_that_was_overtaken_selects_nothing(self) -> None:
        stage = staged(FakePull(), inputs={"org": ORG})
        other(stage, LATER, given={"replay_of": EXECUTION}).preflight()
        with pytest.raises(RunSuperseded):
            stage.select()

    def test_a_live_run_without_its_lease_selects_nothing(self) -> None:
        stage = staged(FakePull())
        stage.leases.release(ORG, EXECUTION)
        with pytest.raises(LeaseLost):
            stage.select()
