"""One look at CI (feedback §1)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from autoswe.contracts.feedback.round import CiOutcome, CiStatus
from autoswe.contracts.workflow import Returned
from autoswe.ports.github import Forbidden, Gone, HostError, NotYet, PartialAnswer, RateLimited, Unavailable
from autoswe.rules.github.facts import Check, Checks, Reporter, RequiredCheck
from autoswe.steps.feedback.poll_ci import Ports, poll_ci
from autoswe.steps.feedback.round_records import InputMismatch, SlotLost
from tests.support.feedback.fake_host import HEAD, FakeHost
from tests.support.feedback.fakes import NOW, FakeRecords, FakeRounds, request

COMMIT = "c" * 40
GREEN = Checks("SUCCESS", (Check("tests", completed=True, conclusion="SUCCESS"),), ())


def _pushed() -> FakeRounds:
    return FakeRounds.holding(commit_sha=COMMIT, pushed=True, commit_pushed_at=NOW.isoformat())


def _look(rounds: FakeRounds, host: FakeHost, *, seconds_later: int = 0, before: CiStatus | None = None) -> CiStatus:
    answers = {"ci": Returned(value=before)} if before else {}
    ports = Ports(lambda: NOW + timedelta(seconds=seconds_later), FakeRecords(), rounds, "suggestions", lambda *_: host)
    return poll_ci(request(**answers), ports)


def _at(checks: Checks, head_sha: str) -> FakeHost:
    host = FakeHost(checks_now=checks)
    host.pull_now = replace(host.pull_now, head_sha=head_sha)
    return host


def _at_our_commit(checks: Checks) -> FakeHost:
    return _at(checks, COMMIT)


def test_looks_that_do_not_settle_ask_for_another_with_growing_waits() -> None:
    rounds, host = _pushed(), _at_our_commit(Checks(None, (), ()))
    first = _look(rounds, host)
    second = _look(rounds, host, seconds_later=15, before=first)
    assert [(look.outcome, look.seconds, look.looks) for look in (first, second)] == [
        (CiOutcome.WAIT, 15, 1),
        (CiOutcome.WAIT, 30, 2),
    ]
    assert second.waited_seconds == 15


def test_green_needs_a_second_look_and_remembers_when_it_began() -> None:
    rounds, host = _pushed(), _at_our_commit(GREEN)
    first = _look(rounds, host)
    assert (first.outcome, first.green_since) == (CiOutcome.WAIT, NOW.isoformat())
    assert rounds.notes == []
    assert _look(rounds, host, seconds_later=45, before=first).outcome is CiOutcome.GREEN
    assert rounds.notes == ["ci:green"]


def test_a_head_that_somebody_moved_is_unknown() -> None:
    assert _look(_pushed(), _at(GREEN, "d" * 40)).outcome is CiOutcome.UNKNOWN


def test_a_stale_head_right_after_the_push_is_no_move() -> None:
    assert _look(_pushed(), _at(GREEN, HEAD)).outcome is CiOutcome.WAIT
    assert _look(_pushed(), _at(GREEN, HEAD), seconds_later=60).outcome is CiOutcome.UNKNOWN


def test_an_execution_that_lost_the_pull_request_does_not_look() -> None:
    rounds, host = _pushed(), FakeHost()
    rounds.held_by = "another"
    with pytest.raises(SlotLost):
        _look(rounds, host)
    assert host.asked == []


def test_a_round_that_pushed_nothing_has_no_ci_to_look_at() -> None:
    with pytest.raises(InputMismatch):
        _look(FakeRounds.holding(), FakeHost())


def test_what_the_base_branch_requires_decides_whether_green_is_whole() -> None:
    host = _at_our_commit(GREEN)
    host.required_now = (RequiredCheck("deploy"),)
    within, after = (_look(_pushed(), host, seconds_later=seconds) for seconds in (60, 15 * 60))
    assert (within.outcome, within.reason) == (CiOutcome.WAIT, "not_reported")
    assert (after.outcome, after.reason, after.seconds) == (CiOutcome.UNKNOWN, "required_missing", 0)


def test_what_had_reported_on_the_reviewed_commit_is_expected_on_ours() -> None:
    host = _at_our_commit(GREEN)
    host.reported_before = frozenset({Reporter("coverage", None, is_status=True)})
    within, after = (_look(_pushed(), host, seconds_later=seconds) for seconds in (60, 15 * 60))
    assert (within.outcome, within.reason) == (CiOutcome.WAIT, "not_reported")
    assert (after.outcome, after.reason) == (CiOutcome.UNKNOWN, "expected_missing")
    assert set(host.asked) == {f"ci {COMMIT} after {HEAD}"}


@pytest.mark.parametrize("hidden", ["required_now", "reported_before"])
def test_what_cannot_be_read_has_to_stay_so_before_ci_is_unknown(hidden: str) -> None:
    rounds, host = _pushed(), _at_our_commit(GREEN)
    setattr(host, hidden, None)
    with pytest.raises(NotYet):
        _look(rounds, host)
    rounds.now += timedelta(seconds=119)
    with pytest.raises(NotYet):
        _look(rounds, host)
    rounds.now += timedelta(seconds=1)
    assert _look(rounds, host).reason == "required_unreadable"


def test_a_pushed_commit_that_does_not_show_is_looked_for_again_for_two_minutes() -> None:
    host = _at_our_commit(GREEN)
    method = f"ci {COMMIT} after {HEAD}"

    def hide() -> None:
        host.before[method] = hide
        raise Gone("404")

    host.before[method] = hide
    with pytest.raises(NotYet):
        _look(_pushed(), host, seconds_later=119)
    with pytest.raises(Gone):
        _look(_pushed(), host, seconds_later=120)


@pytest.mark.parametrize("error", [RateLimited, Unavailable, PartialAnswer, Forbidden])
def test_a_host_that_may_answer_later_is_asked_again_by_the_workflow(error: type[HostError]) -> None:
    host = _at_our_commit(GREEN)

    def fail() -> None:
        raise error("later")

    host.before[f"ci {COMMIT} after {HEAD}"] = fail
    with pytest.raises(error):
        _look(_pushed(), host)


def test_a_failure_is_told_at_once_whatever_cannot_be_read() -> None:
    host = _at_our_commit(Checks("FAILURE", (Check("tests", completed=True, conclusion="FAILURE"),), ()))
    host.required_now = None
    assert _look(_pushed(), host).outcome is CiOutcome.RED
