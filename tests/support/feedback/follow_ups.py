"""A round whose fix is pushed and whose CI failed on it: where a follow-up begins."""

from dataclasses import dataclass, replace
from typing import Any

from autoswe.contracts.feedback.fixing import BriefThread, FixerBrief, Outcome
from autoswe.contracts.feedback.round import (
    CiOutcome,
    CiStatus,
    FirstFix,
    Gathered,
    GatherOutcome,
    Pushed,
    PushOutcome,
    Reported,
    ReportThread,
    RoundReport,
    RoundRequest,
)
from autoswe.contracts.records.platform import GateSettings, RepositoryRecord
from autoswe.contracts.workflow import Returned
from autoswe.rules.feedback.naming import report_key
from autoswe.rules.github.facts import CiEvidence, JobLog
from tests.support.feedback.fake_host import HEAD, FakeHost
from tests.support.feedback.fakes import DECISION, EXECUTION, FakeRecords, FakeRounds, request
from tests.support.feedback.rounds import FIXED, Stage, changed

FIX = "c" * 40
REMARK = "[T1]\n```text\nWhy is this so?\n```"
SAID = CiEvidence((JobLog("tests", "E   assert 3 == 4\n", cut=False),), (), (), 0)
NOTHING_TO_SAY = Outcome(agent="command", threads=())
REPORTED = Returned(value=Reported(summary="posted", replies=1))


@dataclass
class FollowUpStage(Stage):
    """A stage whose pull request stands at the round's fix; ``first`` is what the state keeps of it."""

    @classmethod
    def begin(cls) -> "FollowUpStage":
        """Push the fix of ``a.py`` as commit ``FIX``, and let CI fail on it."""
        host = FakeHost(evidence_now=SAID)
        host.pull_now = replace(host.pull_now, head_sha=FIX)
        assert host.branch_now is not None
        host.branch_now = replace(host.branch_now, tip=FIX)
        host.refs["heads/feature"] = FIX
        host.commits[FIX] = "1c" * 20
        host.trees["1c" * 20] = {"a.py": ("100644", FIXED), "run.sh": ("100755", b"true\n")}
        rounds = FakeRounds.holding(commit_sha=FIX, pushed=True, pushed_sha=FIX, pushed_at="2026-11-30T12:00:00+00:00")
        gated = RepositoryRecord(repository_id=10, gates=GateSettings(lint=("true",)))
        return cls(host=host, rounds=rounds, records=FakeRecords(repository_record=gated))

    def first(self) -> FirstFix:
        """Store what the round's fix left behind, and keep it as the workflow does."""
        thread = BriefThread(label="T1", path="a.py", line=2, text=REMARK)
        brief = FixerBrief(head_sha=HEAD, trigger_notes=None, threads=(thread,), suggestions=(), task="Add a total.")
        told = ReportThread(
            label="T1", root_comment_id=11, path="a.py", outcome="addressed", claims_addressed=True, note="Done."
        )
        report = RoundReport(execution=EXECUTION, threads=(told,), changed_paths=("a.py",), gates=(("lint", "passed"),))
        reference = self.artifacts.put(report_key(DECISION.decision_id, FIX), report.dump())
        return FirstFix(
            gather=Returned(
                value=Gathered(
                    outcome=GatherOutcome.PROCEED,
                    head_sha=HEAD,
                    brief=self.artifacts.put("first-brief", brief.dump()),
                )
            ),
            push=Returned(value=Pushed(outcome=PushOutcome.PUSHED, commit_sha=FIX, report=reference)),
            ci=Returned(value=CiStatus(outcome=CiOutcome.RED, follow_up=True)),
        )

    def begun(self, **answers: Any) -> RoundRequest:
        """Build the request of the follow-up's first step."""
        return request(**{"first": self.first(), "report": REPORTED, **answers})

    def repaired(self, after: bytes = b"A\nY\nC\n") -> None:
        """Store what the containers leave behind that repaired the fix."""
        self.fixed(changed(before=FIXED, after=after), outcome=NOTHING_TO_SAY, head_sha=FIX)
