"""Whether a round may begin (feedback §2)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.eligibility import (
    VISIBLE,
    Requester,
    SkipReason,
    are_trusted_words,
    judge_budget,
    judge_follow_up,
    judge_others,
    judge_pull,
    judge_requester,
    judge_rounds,
    judge_trigger,
    judge_words,
    judge_work_branch,
)
from autoswe.rules.github.facts import Author, Edit, Permission, Pull, Text
from autoswe.rules.records.origin import OriginKind
from autoswe.rules.records.triggers import TriggerKind, TriggerSource

PULL = Pull(
    number=7,
    is_open=True,
    head_sha="a" * 40,
    head_ref="feature",
    head_repository_id=10,
    base_sha="b" * 40,
    base_ref="main",
    repository_id=10,
    author_id=99,
)
REVIEWER = Author(account_id=5, login="reviewer", is_bot=False)
COMMAND = Text(source_id=1, node_id="IC_1", author=REVIEWER, body="/auto-swe fix")


def test_an_open_pull_request_of_this_repository_on_its_recorded_branch_is_eligible() -> None:
    assert judge_pull(PULL, "feature") is None


@pytest.mark.parametrize(
    ("pull", "reason"),
    [
        (replace(PULL, is_open=False), SkipReason.PULL_CLOSED),
        (replace(PULL, head_repository_id=11), SkipReason.PULL_FROM_FORK),
        (replace(PULL, head_repository_id=None), SkipReason.PULL_FROM_FORK),
        (replace(PULL, head_ref="other"), SkipReason.HEAD_MOVED),
    ],
)
def test_a_closed_forked_or_moved_pull_request_is_skipped_and_a_deleted_head_is_a_fork(
    pull: Pull, reason: SkipReason
) -> None:
    assert judge_pull(pull, "feature") is reason


def test_without_a_record_there_is_no_branch_to_have_moved_off() -> None:
    assert judge_pull(replace(PULL, head_ref="anything"), None) is None


def test_a_trigger_that_stands_as_it_was_decided_lets_the_round_go_on() -> None:
    assert judge_trigger(COMMAND, TriggerSource.DISCUSSION_COMMENT, TriggerKind.COMMAND, 5) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, SkipReason.TRIGGER_GONE),
        (replace(COMMAND, author=None), SkipReason.REQUESTER_MISMATCH),
        (replace(COMMAND, author=replace(REVIEWER, account_id=6)), SkipReason.REQUESTER_MISMATCH),
        (replace(COMMAND, author=replace(REVIEWER, is_bot=True)), SkipReason.REQUESTER_MISMATCH),
        (replace(COMMAND, body="never mind"), SkipReason.TRIGGER_CHANGED),
    ],
)
def test_a_deleted_edited_or_foreign_trigger_stops_the_round(text: Text | None, reason: SkipReason) -> None:
    assert judge_trigger(text, TriggerSource.DISCUSSION_COMMENT, TriggerKind.COMMAND, 5) is reason


@pytest.mark.parametrize("state", ["APPROVED", "DISMISSED", "COMMENTED", "PENDING", "SOMETHING_NEW", None])
def test_a_review_that_no_longer_requests_changes_is_no_trigger(state: str | None) -> None:
    review = replace(COMMAND, body="please rename", review_state=state)
    assert judge_trigger(review, TriggerSource.REVIEW, TriggerKind.CHANGES_REQUESTED, 5) is SkipReason.TRIGGER_CHANGED


def test_a_review_that_still_requests_changes_stands_in_the_spelling_of_the_api() -> None:
    review = replace(COMMAND, body="please rename", review_state="CHANGES_REQUESTED")
    assert judge_trigger(review, TriggerSource.REVIEW, TriggerKind.CHANGES_REQUESTED, 5) is None


def test_a_command_edited_out_of_a_review_is_not_saved_by_the_review_requesting_changes() -> None:
    review = replace(COMMAND, body="please rename", review_state="CHANGES_REQUESTED")
    assert judge_trigger(review, TriggerSource.REVIEW, TriggerKind.COMMAND, 5) is SkipReason.TRIGGER_CHANGED


@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("permission", list(Permission))
def test_trust_needs_the_member_record_and_the_hosts_write_permission(active: bool, permission: Permission) -> None:
    trusted = active and permission in {Permission.WRITE, Permission.ADMIN}
    expected = None if trusted else SkipReason.REQUESTER_NOT_TRUSTED
    assert judge_requester(Requester(active, permission)) is expected


PEOPLE = [REVIEWER, Author(6, "colleague", is_bot=False), Author(7, "former", is_bot=False)]
accounts = st.none() | st.sampled_from(PEOPLE)


@given(accounts, st.none() | st.builds(Edit, accounts), st.sets(st.sampled_from(PEOPLE)))
def test_words_count_only_if_everybody_who_is_known_to_have_written_them_is_trusted(
    author: Author | None, edit: Edit | None, trusted: set[Author]
) -> None:
    writers = {author, *({edit.editor} if edit else ())}
    assert are_trusted_words(author, edit, trusted.__contains__) == (writers <= trusted)


def test_words_that_a_trusted_person_changed_for_a_stranger_stay_the_strangers() -> None:
    stranger, edit = Author(8, "stranger", is_bot=False), Edit(REVIEWER)
    assert not are_trusted_words(stranger, edit, REVIEWER.__eq__)


@pytest.mark.parametrize(("edit", "reason"), [
    (None, None),
    (Edit(REVIEWER), None),
    (Edit(Author(7, "former", is_bot=False)), SkipReason.EDITOR_NOT_TRUSTED),
    (Edit(None), SkipReason.EDITOR_NOT_TRUSTED),
])  # fmt: skip
def test_a_trigger_that_somebody_who_is_not_trusted_changed_last_stops_the_round(
    edit: Edit | None, reason: SkipReason | None
) -> None:
    assert judge_words(replace(COMMAND, edit=edit), REVIEWER.__eq__) is reason


def test_a_trigger_of_whose_changes_nothing_is_known_stops_the_round() -> None:
    assert judge_words(COMMAND, REVIEWER.__eq__) is SkipReason.EDITOR_NOT_TRUSTED


@pytest.mark.parametrize(("pushed", "limit", "stops"), [(0, 5, False), (4, 5, False), (5, 5, True), (6, 5, True)])
def test_the_round_that_would_exceed_the_limit_is_skipped(pushed: int, limit: int, stops: bool) -> None:
    assert (judge_rounds(pushed, limit) is SkipReason.ROUND_LIMIT) is stops


@pytest.mark.parametrize(("spent", "stops"), [(0, False), (99, False), (100, True), (101, True)])
def test_no_round_begins_once_the_month_has_cost_what_it_may_cost(spent: int, stops: bool) -> None:
    assert (judge_budget(100, spent) is SkipReason.BUDGET_SPENT) is stops


def test_with_a_budget_of_nothing_no_round_begins() -> None:
    assert judge_budget(0, 0) is SkipReason.BUDGET_SPENT


@pytest.mark.parametrize("opened_by", [*OriginKind, None])
@pytest.mark.parametrize("on", [True, False])
def test_the_kill_switch_of_agent_runs_stops_their_follow_up_and_no_other_round(
    opened_by: OriginKind | None, on: bool
) -> None:
    stops = opened_by is OriginKind.AGENT_RUN and not on
    assert (judge_follow_up(opened_by, agent_runs_on=on) is SkipReason.AGENT_RUNS_OFF) is stops


def test_only_this_decisions_own_work_branch_is_continued() -> None:
    assert judge_work_branch("mine", "mine") is None
    assert judge_work_branch("other", "mine") is SkipReason.WORK_BRANCH_LEFT
    assert judge_work_branch(None, "mine") is SkipReason.WORK_BRANCH_LEFT


def test_an_allowed_command_on_a_pull_request_of_others_lets_the_round_go_on() -> None:
    assert judge_others(TriggerKind.COMMAND, taken=True, allowed=True) is None


@pytest.mark.parametrize("allowed", [True, False])
def test_a_pull_request_of_others_that_the_automation_does_not_take_is_skipped(*, allowed: bool) -> None:
    assert judge_others(TriggerKind.COMMAND, taken=False, allowed=allowed) is SkipReason.OTHER_PULL_REQUEST


def test_a_pull_request_of_others_is_skipped_where_the_settings_do_not_allow_rounds_on_it() -> None:
    assert judge_others(TriggerKind.COMMAND, taken=True, allowed=False) is SkipReason.OTHERS_NOT_ALLOWED


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("allowed", [True, False])
def test_a_request_for_changes_is_no_trigger_on_a_pull_request_of_others_whatever_is_taken_and_allowed(
    *, taken: bool, allowed: bool
) -> None:
    skipped = judge_others(TriggerKind.CHANGES_REQUESTED, taken=taken, allowed=allowed)
    assert skipped is SkipReason.OTHERS_WITHOUT_COMMAND


SILENT = [
    "kill_switch_off", "automation_off", "slot_held", "pull_closed", "pull_from_fork", "head_moved", "trigger_gone",
    "trigger_changed", "requester_mismatch", "requester_not_trusted", "editor_not_trusted", "origin_mismatch",
    "nothing_trusted", "agent_runs_off", "run_missing", "run_scope", "setting_unreadable", "others_without_command",
]  # fmt: skip
TOLD = [
    "run_still_working", "round_limit", "work_branch_left", "other_pull_request", "others_not_allowed", "budget_spent",
    "agent_run_ceiling", "repository_archived", "default_branch", "protected_branch", "never_push_branch",
    "source_unreadable",
]  # fmt: skip


@pytest.mark.parametrize("reason", SILENT)
def test_a_skip_that_nobody_would_wonder_about_or_nobody_trusted_asked_for_is_silent(reason: str) -> None:
    assert SkipReason(reason) not in VISIBLE


@pytest.mark.parametrize("reason", TOLD)
def test_a_skip_that_a_reviewer_would_wonder_about_is_visible(reason: str) -> None:
    assert SkipReason(reason) in VISIBLE


def test_every_reason_is_of_one_class() -> None:
    assert sorted([*SILENT, *TOLD]) == sorted(SkipReason)
