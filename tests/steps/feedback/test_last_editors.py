"""Words count by who wrote them last, the trigger's and everybody else's (feedback §2, §3)."""

from dataclasses import replace

import pytest

from autoswe.contracts.feedback.fixing import FixerBrief
from autoswe.contracts.feedback.round import Gathered, GatherOutcome
from autoswe.contracts.records.platform import Member
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.naming import work_branch
from autoswe.rules.github.facts import Author, Edit, Permission, Thread
from autoswe.steps.feedback.gather_feedback import gather_feedback
from autoswe.steps.feedback.gather_ports import Ports
from tests.support.feedback.fake_host import FakeHost
from tests.support.feedback.fakes import NOW, FakeRounds, request
from tests.support.feedback.rounds import Stage
from tests.support.feedback.threads import STRANGER, comment, thread

SUGGESTED = comment("Better:\n\n```suggestion\nX\n```", comment_id=11, hunk="@@ -0,0 +1,3 @@\n+A\n+B")
REMARK = comment("Why is this so?", comment_id=12)


def _stage(*threads: Thread) -> Stage:
    stage = Stage(rounds=FakeRounds())
    stage.host.threads_now = threads or (thread(SUGGESTED), thread(REMARK))
    return stage


def gather(stage: Stage) -> Gathered:
    def host(*_: object) -> FakeHost:
        return stage.host

    return gather_feedback(request(), Ports(lambda: NOW, stage.records, stage.rounds, stage.artifacts, host, host))


def _brief(stage: Stage, gathered: Gathered) -> FixerBrief:
    assert gathered.brief is not None
    return FixerBrief.model_validate_json(stage.artifacts.get(gathered.brief))


COLLEAGUE = Author(8, "colleague", is_bot=False)


def _with_colleague(stage: Stage, *, is_bot: bool = False) -> Author:
    """Make another account an active member who may write."""
    stage.records.members[8] = Member(account_id=8, login="colleague", active=True)
    stage.host.permissions["colleague"] = Permission.WRITE
    return replace(COLLEAGUE, is_bot=is_bot)


def test_an_editor_is_trusted_as_an_author_is_and_asked_about_once() -> None:
    stage = _stage(thread(replace(SUGGESTED, edit=Edit(COLLEAGUE))), thread(replace(REMARK, edit=Edit(COLLEAGUE))))
    _with_colleague(stage)
    stage.host.trigger_edit = Edit(COLLEAGUE)
    gathered = gather(stage)
    assert (gathered.outcome, gathered.dropped_comments) == (GatherOutcome.PROCEED, 0)
    assert stage.host.asked.count("permission") == 2


def test_a_bot_is_no_editor_to_trust_whatever_is_on_record_of_it() -> None:
    stage = _stage()
    stage.host.trigger_edit = Edit(_with_colleague(stage, is_bot=True))
    assert gather(stage).reason == SkipReason.EDITOR_NOT_TRUSTED


@pytest.mark.parametrize("lost", ["membership", "permission"])
def test_a_suggestion_that_a_former_member_or_reader_changed_is_not_applied_and_counted(lost: str) -> None:
    stage = _stage(thread(replace(SUGGESTED, edit=Edit(COLLEAGUE))), thread(REMARK))
    _with_colleague(stage)
    if lost == "membership":
        stage.records.members[8] = Member(account_id=8, login="colleague", active=False)
    else:
        stage.host.permissions["colleague"] = Permission.READ
    gathered = gather(stage)
    assert (gathered.outcome, gathered.dropped_comments) == (GatherOutcome.PROCEED, 1)
    brief = _brief(stage, gathered)
    assert (len(brief.threads), brief.suggestions) == (1, ())
    assert stage.rounds.notes == ["comments_dropped"]


def test_the_triggers_words_are_those_that_were_read_together_with_who_changed_them_last() -> None:
    stage = _stage()
    assert stage.host.trigger is not None
    newer = replace(stage.host.trigger, body="Only the names, please.")
    stage.host.before["feedback"] = lambda: setattr(stage.host, "trigger", newer)
    assert "Only the names" in (_brief(stage, gather(stage)).trigger_notes or "")
    stage = _stage()
    dismissed = replace(newer, review_state="DISMISSED")
    stage.host.before["feedback"] = lambda: setattr(stage.host, "trigger", dismissed)
    assert gather(stage).reason == SkipReason.TRIGGER_CHANGED


def test_no_reason_is_seen_on_a_trigger_that_somebody_who_is_not_trusted_changed() -> None:
    stage = _stage()
    stage.host.refs[f"heads/{work_branch(7)}"] = "e" * 40
    assert gather(stage).outcome is GatherOutcome.SKIP_VISIBLE
    stage.host.trigger_edit = Edit(STRANGER)
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.EDITOR_NOT_TRUSTED)
