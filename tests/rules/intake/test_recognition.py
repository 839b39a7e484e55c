"""Which new texts may start a feedback round (feedback §1, §8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.intake.recognition import IgnoreReason, NewText, Trigger, recognise
from autoswe.rules.records.triggers import TriggerKind, TriggerSource, still_a_trigger

COMMAND = "/auto-swe fix"
sources = st.sampled_from(TriggerSource)


def new_text(
    source: TriggerSource = TriggerSource.DISCUSSION_COMMENT,
    body: str = COMMAND,
    *,
    state: str | None = None,
    author: int | None = 101,
    sender: int = 101,
    bot: bool = False,
    on_pull_request: bool = True,
) -> NewText:
    return NewText(
        source=source,
        source_id=501,
        body=body,
        review_state=state,
        author_id=author,
        sender_id=sender,
        sender_is_bot=bot,
        on_pull_request=on_pull_request,
    )


@pytest.mark.parametrize("source", TriggerSource)
def test_a_command_is_a_trigger_wherever_a_person_may_write_it(source: TriggerSource) -> None:
    assert recognise(new_text(source, state="commented")) == Trigger(TriggerKind.COMMAND, source, 501)


@pytest.mark.parametrize("body", ["", "Please rename this."])
def test_a_review_that_requests_changes_is_a_trigger_whatever_it_says(body: str) -> None:
    trigger = recognise(new_text(TriggerSource.REVIEW, body, state="changes_requested"))
    assert trigger == Trigger(TriggerKind.CHANGES_REQUESTED, TriggerSource.REVIEW, 501)


def test_a_command_in_a_review_that_requests_changes_counts_as_the_command() -> None:
    trigger = recognise(new_text(TriggerSource.REVIEW, COMMAND, state="changes_requested"))
    assert trigger == Trigger(TriggerKind.COMMAND, TriggerSource.REVIEW, 501)


@pytest.mark.parametrize("state", ["approved", "commented", "dismissed", "pending", "something_new", ""])
def test_any_other_state_of_a_review_known_or_not_is_no_trigger(state: str) -> None:
    assert recognise(new_text(TriggerSource.REVIEW, "Please.", state=state)) is IgnoreReason.NO_TRIGGER


@pytest.mark.parametrize("source", [TriggerSource.INLINE_COMMENT, TriggerSource.DISCUSSION_COMMENT])
def test_only_a_review_can_request_changes(source: TriggerSource) -> None:
    assert recognise(new_text(source, "Please.", state="changes_requested")) is IgnoreReason.NO_TRIGGER


@given(sources, st.text(), st.sampled_from([None, "changes_requested", "commented"]))
def test_a_bot_never_triggers_anything(source: TriggerSource, body: str, state: str | None) -> None:
    for words in (body, COMMAND):
        assert recognise(new_text(source, words, state=state, bot=True)) is IgnoreReason.BOT_SENDER


@given(sources, st.text(), st.booleans())
def test_a_text_that_is_not_on_a_pull_request_never_triggers_anything(
    source: TriggerSource, body: str, bot: bool
) -> None:
    for words in (body, COMMAND):
        text = new_text(source, words, state="changes_requested", bot=bot, on_pull_request=False)
        assert recognise(text) is IgnoreReason.NOT_A_PULL_REQUEST


@given(sources, st.none() | st.integers(1).filter(lambda author: author != 101))
def test_somebody_elses_text_or_a_vanished_accounts_never_triggers_anything(
    source: TriggerSource, author: int | None
) -> None:
    text = new_text(source, state="changes_requested", author=author)
    assert recognise(text) is IgnoreReason.AUTHOR_IS_NOT_SENDER


@pytest.mark.parametrize(
    "body", ["", "> /auto-swe fix", "```\n/auto-swe fix\n```", "say /auto-swe fix", "/auto-swe fixed"]
)
def test_words_that_are_not_a_command_are_no_trigger(body: str) -> None:
    assert recognise(new_text(body=body)) is IgnoreReason.NO_TRIGGER


@given(sources, st.integers(1), st.integers(1), st.integers(1), st.integers(1))
def test_two_texts_have_two_subjects_and_one_text_has_one(
    source: TriggerSource, one: int, other: int, pull: int, another_pull: int
) -> None:
    first, second = (Trigger(TriggerKind.COMMAND, source, number) for number in (one, other))
    same = (one, pull) == (other, another_pull)
    assert (first.subject(pull) == second.subject(another_pull)) is same
    assert first.subject(pull) == Trigger(TriggerKind.CHANGES_REQUESTED, source, one).subject(pull)


def test_a_review_and_a_comment_with_one_number_are_two_subjects() -> None:
    subjects = {Trigger(TriggerKind.COMMAND, source, 1).subject(7) for source in TriggerSource}
    assert len(subjects) == len(TriggerSource)


@given(sources, st.text(), st.sampled_from(["changes_requested", "commented", "approved"]))
def test_the_hosts_api_and_its_webhooks_spell_states_in_different_case_and_mean_the_same(
    source: TriggerSource, body: str, state: str
) -> None:
    assert still_a_trigger(source, body, state) == still_a_trigger(source, body, state.upper())
