"""Reporting on the pull request, exactly once (feedback §4)."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.feedback.round import (
    CiOutcome,
    CiStatus,
    Gathered,
    GatherOutcome,
    Pushed,
    PushOutcome,
    Reported,
    ReportThread,
    RoundReport,
)
from autoswe.contracts.workflow import Failure, Returned
from autoswe.ports.github import Barred, Forbidden, Gone, HostError, NotYet, RateLimited, Refused, Unavailable
from autoswe.rules.github.facts import PostedComment
from autoswe.rules.text.markers import MarkerKind, marker
from autoswe.steps.feedback.comment_writes import WritesLeft
from autoswe.steps.feedback.respond import Ports, respond
from autoswe.steps.feedback.round_records import InputMismatch, SlotLost
from tests.support.feedback.fake_host import FakeHost
from tests.support.feedback.fakes import DECISION, EXECUTION, FakeArtifacts, FakeRecords, FakeRounds, request

COMMIT = "c" * 40
REPORTED = Returned(value=Reported(summary="posted", replies=3))
THREADS = (
    ReportThread(label="T1", root_comment_id=11, path="a.py", outcome="addressed", claims_addressed=True, note="Done."),
    ReportThread(label="T2", root_comment_id=12, path="b.py", outcome="addressed", claims_addressed=False, note=""),
    ReportThread(label="T3", root_comment_id=13, path=None, outcome="needs_person", claims_addressed=True, note=""),
)


class Pulled:
    """A round that has pushed, with everything respond reads."""

    def __init__(self) -> None:
        self.host, self.rounds, self.artifacts = FakeHost(), FakeRounds.holding(), FakeArtifacts()
        self.slept: list[float] = []
        report = RoundReport(execution=EXECUTION, threads=THREADS, changed_paths=("a.py",), gates=(("lint", "passed"),))
        self.pushed = self._pushed(PushOutcome.PUSHED, self.artifacts.put("report", report.dump()))

    @staticmethod
    def _pushed(outcome: PushOutcome, report: ArtifactReference) -> Returned[Pushed]:
        return Returned(value=Pushed(outcome=outcome, commit_sha=COMMIT, report=report))

    def respond(self, **answers: object) -> str:
        ports = Ports(
            FakeRecords(), self.rounds, self.artifacts, lambda *_: self.host, lambda: self.rounds.now, self.slept.append
        )
        return respond(request(**answers), ports).summary

    def respond_at_last(self, **answers: object) -> str:
        """Try again as the workflow does, a minute apart, until the step answers."""
        for _ in range(5):
            try:
                return self.respond(**answers)
            except (NotYet, WritesLeft):
                self.wait(60)
        raise AssertionError("the step never answered")

    def wait(self, seconds: float) -> None:
        self.rounds.now += timedelta(seconds=seconds)

    def refuse(self, method: str, error: HostError, times: int = -1) -> None:
        """Let the host refuse a method a number of times, or always."""
        left = [times]

        def refuse() -> None:
            if left[0]:
                left[0] -= 1
                self.host.before[method] = refuse
                raise error

        self.host.before[method] = refuse


def test_the_first_report_posts_one_summary_and_one_reply_per_thread() -> None:
    told = Pulled()
    assert told.respond(push=told.pushed) == "posted"
    assert [reply.reply_to for reply in told.host.inline] == [11, 12, 13]
    claims = [reply.body.split("\n")[1].split(" in ")[0] for reply in told.host.inline]
    assert claims == ["Addressed", "Worked on", "Needs a person."]
    [summary] = told.host.discussion
    assert COMMIT in summary.body


def test_reporting_twice_with_the_same_state_changes_nothing_the_second_time() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    writes = len(told.host.writes())
    assert told.respond(push=told.pushed) == "kept"
    assert len(told.host.writes()) == writes


def test_a_report_that_was_interrupted_after_a_reply_posts_only_what_is_missing() -> None:
    told = Pulled()
    told.refuse("reply", RateLimited("slow down"))
    with pytest.raises(RateLimited):
        told.respond(push=told.pushed)
    del told.host.before["reply"]
    assert told.respond(push=told.pushed) == "posted"
    assert [reply.reply_to for reply in told.host.inline] == [11, 12, 13]
    assert len(told.host.discussion) == 1


def test_what_is_on_record_as_written_is_neither_looked_for_nor_written_again() -> None:
    """A list may not show it yet, and a person may have deleted it."""
    told = Pulled()
    told.respond(push=told.pushed)
    told.host.inline, told.host.discussion = [], []
    assert told.respond(push=told.pushed) == "kept"
    assert (told.host.inline, told.host.discussion) == ([], [])
    assert {"replies", "comments"}.isdisjoint(told.host.asked)


def test_another_rounds_report_edits_the_summary_on_record_whatever_lists_show() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    [(write, record)] = [one for one in told.rounds.written_now.items() if one[0].startswith("summary")]
    told.rounds.written_now = {write: replace(record, decision_id="an earlier decision")}
    ci = Returned(value=CiStatus(outcome=CiOutcome.GREEN))
    assert told.respond(push=told.pushed, ci=ci, report=REPORTED) == "edited"
    assert "comments" not in told.host.asked
    assert len(told.host.discussion) == 1


def test_a_summary_that_is_gone_is_posted_anew_but_not_while_it_may_still_show() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    told.host.discussion.clear()
    told.refuse("edit", Gone("404"), times=2)
    ci = Returned(value=CiStatus(outcome=CiOutcome.GREEN))
    told.wait(119)
    with pytest.raises(NotYet):
        told.respond(push=told.pushed, ci=ci, report=REPORTED)
    assert told.host.discussion == []
    told.wait(1)
    assert told.respond(push=told.pushed, ci=ci, report=REPORTED) == "posted"
    assert len(told.host.discussion) == 1


def test_replies_are_looked_for_from_before_the_round_was_decided_by_a_clock_that_is_behind() -> None:
    """A replay long afterwards still finds what its round said first, on a pull request with any number of comments."""
    told = Pulled()
    told.refuse("reply", Unavailable("no answer"), times=1)
    with pytest.raises(Unavailable):
        told.respond(push=told.pushed)
    told.respond_at_last(push=told.pushed)
    assert told.host.replies_since is not None
    before = datetime.fromisoformat(DECISION.decided_at) - told.host.replies_since
    assert timedelta(minutes=5) <= before <= timedelta(hours=1)


@pytest.mark.parametrize("error", [Refused, Barred])
def test_a_thread_that_takes_no_reply_costs_neither_the_others_nor_the_summary(error: type[HostError]) -> None:
    told = Pulled()
    told.refuse("reply", error("the thread is locked"), times=1)
    assert told.respond(push=told.pushed) == "posted"
    assert [reply.reply_to for reply in told.host.inline] == [12, 13]
    assert len(told.host.discussion) == 1
    assert told.respond(push=told.pushed) == "kept"
    assert len(told.host.inline) == 2


@pytest.mark.parametrize("error", [Gone, Forbidden])
def test_a_reply_that_is_refused_in_a_bad_moment_is_made_after_everything_else(error: type[HostError]) -> None:
    told = Pulled()
    told.refuse("reply", error("not now"), times=1)
    with pytest.raises(NotYet):
        told.respond(push=told.pushed)
    assert [reply.reply_to for reply in told.host.inline] == [12, 13]
    assert len(told.host.discussion) == 1
    assert told.respond(push=told.pushed) == "kept"
    assert [reply.reply_to for reply in told.host.inline] == [12, 13, 11]


@pytest.mark.parametrize("error", [Gone, Forbidden])
def test_a_reply_that_is_refused_for_two_minutes_is_given_up_and_the_round_is_not(error: type[HostError]) -> None:
    told = Pulled()
    told.refuse("reply", error("never"))
    with pytest.raises(NotYet):
        told.respond(push=told.pushed)
    told.wait(119)
    with pytest.raises(NotYet):
        told.respond(push=told.pushed)
    told.wait(1)
    assert told.respond(push=told.pushed) == "kept"
    assert told.host.inline == []


@pytest.mark.parametrize(("method", "shown"), [("reply", "inline"), ("comment", "discussion")])
def test_a_write_whose_reply_was_lost_is_not_made_again_before_it_had_time_to_show(method: str, shown: str) -> None:
    told = Pulled()
    told.refuse(method, Unavailable("no answer"), times=1)
    with pytest.raises(Unavailable):
        told.respond(push=told.pushed)
    told.wait(119)
    with pytest.raises(NotYet):
        told.respond(push=told.pushed)
    there = len(getattr(told.host, shown))
    told.wait(1)
    told.respond(push=told.pushed)
    assert len(getattr(told.host, shown)) == there + 1
    assert (len(told.host.inline), len(told.host.discussion)) == (3, 1)


@pytest.mark.parametrize("method", ["reply", "comment"])
def test_a_comment_whose_id_was_lost_is_found_by_its_marker_and_not_posted_again(method: str) -> None:
    told = Pulled()
    told.host.lost_replies.add(method)
    with pytest.raises(Unavailable):
        told.respond(push=told.pushed)
    told.respond(push=told.pushed)
    assert [reply.reply_to for reply in told.host.inline] == [11, 12, 13]
    assert len(told.host.discussion) == 1
    assert all(effect is not None for effect in told.rounds.writes.values())


def test_two_tries_that_overlap_post_once() -> None:
    """The second begins while the first waits for the host's answer to its first reply."""
    told = Pulled()

    def rival() -> None:
        with pytest.raises(NotYet):
            told.respond(push=told.pushed)

    told.host.before["reply"] = rival
    told.respond(push=told.pushed)
    assert sorted(reply.reply_to or 0 for reply in told.host.inline) == [11, 12, 13]
    assert len(told.host.discussion) == 1


def test_a_limit_leaves_nothing_in_doubt_and_the_next_try_goes_on() -> None:
    told = Pulled()
    told.refuse("comment", RateLimited("submitted too quickly"), times=1)
    with pytest.raises(RateLimited):
        told.respond(push=told.pushed)
    assert told.respond(push=told.pushed) == "posted"
    assert "comments" not in told.host.asked


def test_a_limit_that_lasts_for_long_gives_up_no_reply() -> None:
    told = Pulled()
    told.refuse("reply", RateLimited("slow down"), times=3)
    for _ in range(3):
        with pytest.raises(RateLimited):
            told.respond(push=told.pushed)
        told.wait(900)
    told.respond(push=told.pushed)
    assert [reply.reply_to for reply in told.host.inline] == [11, 12, 13]


def test_writes_are_a_second_apart_and_many_take_several_calls() -> None:
    told = Pulled()
    many = tuple(replace_label(THREADS[0], number) for number in range(1, 12))
    report = RoundReport(execution=EXECUTION, threads=many, changed_paths=("a.py",), gates=())
    told.pushed = told._pushed(PushOutcome.PUSHED, told.artifacts.put("report", report.dump()))
    told.host.before["reply"] = lambda: told.slept.append(0)
    with pytest.raises(WritesLeft):
        told.respond(push=told.pushed)
    assert told.slept == [1, 0, 1, 1, 1, 1]
    assert told.respond_at_last(push=told.pushed) == "posted"
    assert len(told.host.inline) == 11
    assert sum(told.slept) == len(told.host.writes())


def replace_label(thread: ReportThread, number: int) -> ReportThread:
    return thread.model_copy(update={"label": f"T{number}", "root_comment_id": 10 + number})


@pytest.mark.parametrize("method", ["comment", "edit"])
def test_a_locked_conversation_is_noted_and_ends_no_round(method: str) -> None:
    told = Pulled()
    if method == "edit":
        told.respond(push=told.pushed)
    told.refuse(method, Barred("Unable to create comment because issue is locked."))
    ci = Returned(value=CiStatus(outcome=CiOutcome.GREEN))
    assert told.respond(push=told.pushed, ci=ci, report=REPORTED) == "refused"
    assert told.rounds.notes == ["report_refused"]


def test_every_write_is_intended_before_and_recorded_after() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    assert len(told.rounds.writes) == 4
    assert all(effect is not None for effect in told.rounds.writes.values())


def test_a_marker_in_somebody_elses_comment_counts_for_nothing() -> None:
    told = Pulled()
    forged = PostedComment(1, 666, marker(MarkerKind.SUMMARY, "pr-7"))
    told.host.discussion.append(forged)
    told.refuse("comment", Unavailable("no answer"), times=1)
    with pytest.raises(Unavailable):
        told.respond(push=told.pushed)
    assert told.respond_at_last(push=told.pushed) == "posted"
    assert told.host.discussion[0] == forged


def test_the_ci_update_edits_the_summary_and_replies_to_nobody() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    told.host.inline.clear()
    ci = Returned(value=CiStatus(outcome=CiOutcome.GREEN))
    assert told.respond(push=told.pushed, ci=ci, report=REPORTED) == "edited"
    assert told.host.inline == []
    [summary] = told.host.discussion
    assert "CI passed" in summary.body


def test_a_first_report_that_failed_is_made_up_for_when_ci_is_told() -> None:
    told = Pulled()
    ci = Returned(value=CiStatus(outcome=CiOutcome.GREEN))
    told.respond(push=told.pushed, ci=ci, error=Failure(error="Unavailable"))
    assert [reply.reply_to for reply in told.host.inline] == [11, 12, 13]
    assert "CI passed" in told.host.discussion[0].body


def test_ci_that_could_not_be_read_is_told_as_unknown() -> None:
    told = Pulled()
    told.respond(push=told.pushed, ci_error=Failure(error="Unavailable"))
    assert "unknown" in told.host.discussion[0].body


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"push": Returned(value=Pushed(outcome=PushOutcome.REFUSED, reason="head_moved"))}, "did not allow it"),
        ({"error": Failure(error="States.Timeout")}, "could not be completed"),
        (
            {"push": Returned(value=Pushed(outcome=PushOutcome.REFUSED, reason="fixer_left_nothing"))},
            "not be completed",
        ),
        (
            {"gather": Returned(value=Gathered(outcome=GatherOutcome.SKIP_VISIBLE, reason="round_limit"))},
            "all the rounds it may have",
        ),
    ],
)
def test_refusals_failures_and_visible_skips_are_told_in_generic_words_and_answer_no_thread(
    answers: dict[str, object], sentence: str
) -> None:
    told = Pulled()
    told.respond(**answers)
    [summary] = told.host.discussion
    assert sentence in summary.body
    assert told.host.inline == []
    assert "head_moved" not in summary.body


def test_late_feedback_is_mentioned_only_when_something_was_suppressed() -> None:
    told = Pulled()
    told.respond(push=told.pushed)
    assert "arrived after this round" not in told.host.discussion[0].body
    assert told.rounds.notes == []
    told.rounds.suppressed = ("guid",)
    told.respond(push=told.pushed)
    assert "arrived after this round" in told.host.discussion[0].body
    assert told.rounds.notes == ["told_late"]


def test_an_execution_that_lost_the_pull_request_says_nothing() -> None:
    told = Pulled()
    told.rounds.held_by = "another"
    with pytest.raises(SlotLost):
        told.respond(push=told.pushed)
    assert told.host.asked == []


def test_a_state_with_nothing_to_report_is_an_error_and_not_a_comment() -> None:
    told = Pulled()
    with pytest.raises(InputMismatch):
        told.respond()
    assert told.host.writes() == []


BROKEN = Failure.model_validate({"Error": "Unavailable"})


def test_a_round_that_failed_before_its_requester_was_found_trusted_tells_nobody() -> None:
    told = Pulled()
    assert told.rounds.current is not None
    told.rounds.current = told.rounds.current.model_copy(update={"head_sha": None, "head_ref": None})
    assert told.respond(error=BROKEN) == "untold"
    assert told.host.asked == []


def test_a_round_that_failed_while_it_gathered_for_somebody_trusted_is_told() -> None:
    told = Pulled()
    told.respond(error=BROKEN)
    [summary] = told.host.discussion
    assert "could not be completed" in summary.body


def test_a_push_that_is_on_record_is_told_whatever_became_of_its_step() -> None:
    told = Pulled()
    told.rounds.record_pushed(DECISION, COMMIT)
    told.respond(gather=Returned(value=Gathered(outcome=GatherOutcome.PROCEED)), error=BROKEN)
    [summary] = told.host.discussion
    assert f"Pushed commit: {COMMIT}" in summary.body
    assert "is on this pull request's branch" in summary.body
    assert "CI on the pushed commit is unknown." in summary.body, "nobody is going to watch it"
