"""Reports a round on its pull request: one summary comment, and one reply on each answered thread (feedback §4)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from autoswe.contracts.feedback.fixing import ThreadOutcomeKind
from autoswe.contracts.feedback.round import (
    MOST_LATE,
    GatherOutcome,
    Pushed,
    PushOutcome,
    Reported,
    ReportThread,
    RoundReport,
    RoundRequest,
    RoundState,
)
from autoswe.contracts.records.platform import Connection, Decision
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.feedback.hosts import ReportHost
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.github import Forbidden, Gone, Refused, Unavailable
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import Activity
from autoswe.rules.feedback.naming import reply_marker_key, summary_marker_key
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.feedback.summary import (
    CiLine,
    Claim,
    FollowUp,
    Headline,
    Summary,
    ThreadLine,
    reply_body,
    summary_body,
)
from autoswe.rules.github.facts import PostedComment
from autoswe.rules.text.kinds import Neutralised, Untrusted
from autoswe.rules.text.markers import MarkerKind, read_markers
from autoswe.steps.feedback.round_records import LEASE_SECONDS, InputMismatch, RoundRecords, SlotLost

SETTLE_SECONDS = 60
"""How long a write whose reply was lost may take to show on the host; only after that it is made again."""

CLOCK_DRIFT = timedelta(minutes=10)
"""How far the host's clock may be behind ours."""


@dataclass(frozen=True)
class Ports:
    """What reporting reads and writes."""

    records: Records
    rounds: Rounds
    artifacts: Artifacts
    open_host: Callable[[Connection, str], ReportHost]


def respond(request: RoundRequest, ports: Ports) -> Reported:
    """Post or edit the summary and, on a round's first report, reply on each thread that has no reply of it yet.

    Called twice with the same state it changes nothing the second time. Raises ``SlotLost`` when this execution no
    longer holds the pull request.
    """
    records = RoundRecords.read(request, ports.records)
    decision = records.decision
    if ports.rounds.held(decision, request.execution, LEASE_SECONDS) is None:
        raise SlotLost("another execution holds this pull request")
    push = _fix(request.state)
    report = _read_report(ports.artifacts, push)
    host = ports.open_host(records.connection, decision.repository)
    answers = _Answers(decision, records.connection.bot_id, ports.rounds, host)
    lines = {thread.root_comment_id: _thread_line(thread) for thread in report.threads} if report else {}
    replies = 0
    if request.state.report is None:
        replies = answers.reply_once(lines, push.commit_sha if push else None)
    late = ports.rounds.suppressed_during(decision)
    if late:
        ports.rounds.note(decision, Activity.TOLD_LATE)
    summary = Summary(
        headline=_headline(request.state, push),
        commit_sha=push.commit_sha if push else None,
        ci=_ci_line(request.state) if push and push.outcome is PushOutcome.PUSHED else None,
        follow_up=_follow_up(request.state, report),
        first_commit=report.follows_up if report else None,
        threads=tuple(lines.values()),
        changed_paths=tuple(Untrusted(path) for path in report.changed_paths) if report else (),
        gates=report.gates if report else (),
        earlier_commits=ports.rounds.earlier_commits(decision),
        late=bool(late),
    )
    key = summary_marker_key(decision.pull_number)
    shown = answers.put_summary(key, summary_body(summary, key))
    return Reported(summary=shown, replies=replies, late=late[:MOST_LATE])


def _pushed(state: RoundState) -> Pushed | None:
    return state.push.value if state.push else None


def _fix(state: RoundState) -> Pushed | None:
    """Return the push to tell of: a follow-up that pushed nothing leaves the round's fix as it was."""
    push = _pushed(state)
    if state.first is None or (push is not None and push.outcome is PushOutcome.PUSHED):
        return push
    return state.first.push.value


def _follow_up(state: RoundState, report: RoundReport | None) -> FollowUp | None:
    if report is not None and report.follows_up is not None:
        return FollowUp.PUSHED
    if state.first is None:
        return None
    push = _pushed(state)
    if push is None:
        return FollowUp.FAILED if state.error is not None else FollowUp.NOT_TRIED
    return FollowUp.FAILED if push.reason == PushRefusal.FIXER_LEFT_NOTHING else FollowUp(push.outcome)


def _read_report(artifacts: Artifacts, push: Pushed | None) -> RoundReport | None:
    if push is None or push.report is None:
        return None
    return RoundReport.model_validate_json(artifacts.get(push.report))


def _headline(state: RoundState, push: Pushed | None) -> Headline:
    if push is not None and push.reason != PushRefusal.FIXER_LEFT_NOTHING:
        return Headline(push.outcome)
    if push is not None:
        return Headline.FAILED
    if state.error is not None:
        return Headline.FAILED
    if state.gather is not None and state.gather.value.outcome is GatherOutcome.SKIP_VISIBLE:
        return Headline(state.gather.value.reason or "")
    raise InputMismatch("the state holds nothing to report")


def _ci_line(state: RoundState) -> CiLine:
    if state.ci_error is not None:
        return CiLine.UNKNOWN
    if state.ci is not None:
        return CiLine(state.ci.value.outcome)
    followed = state.first is not None and _fix(state) is state.first.push.value
    return CiLine.RED if followed else CiLine.WATCHING


def _thread_line(thread: ReportThread) -> ThreadLine:
    claim = Claim.PERSON
    if thread.outcome == ThreadOutcomeKind.ADDRESSED:
        claim = Claim.ADDRESSED if thread.claims_addressed else Claim.CHANGED
    path = Untrusted(thread.path) if thread.path is not None else None
    return ThreadLine(thread.label, path, claim, Untrusted(thread.note))


@dataclass(frozen=True)
class _Answers:
    """Makes each write once: look for its effect, record the intent, write, record the effect.

    A marker counts only in a comment whose author is our own bot.
    """

    decision: Decision
    bot_id: int
    rounds: Rounds
    host: ReportHost

    def reply_once(self, lines: dict[int, ThreadLine], commit_sha: str | None) -> int:
        """Reply in each thread that does not hold this round's reply; return how many replies were posted."""
        keys = {reply_marker_key(self.decision.decision_id, root): root for root in lines}
        if not keys:
            return 0
        # None of this round's replies is older than the round, and a busy pull request has thousands of others.
        since = datetime.fromisoformat(self.decision.decided_at) - CLOCK_DRIFT
        there = self._marked(self.host.replies(self.decision.pull_number, since), MarkerKind.REPLY)
        missing = [key for key in keys if key not in there]
        return sum(self._reply(key, keys[key], reply_body(lines[keys[key]], commit_sha, key)) for key in missing)

    def _intend(self, write: str) -> None:
        """Record the intent, unless an earlier try of this very write may still come to light on the host."""
        age = self.rounds.unsettled_seconds(self.decision, write)
        if age is not None and age < SETTLE_SECONDS:
            raise Unavailable("an earlier try of this write may still appear on the host")
        self.rounds.intend(self.decision, write)

    def _reply(self, key: str, root_comment_id: int, body: Neutralised) -> bool:
        self._intend(f"reply:{key}")
        try:
            posted = self.host.reply(self.decision.pull_number, root_comment_id, body)
        except (Gone, Refused, Forbidden) as error:
            # A thread that was deleted or locked takes no reply; the summary still tells its outcome.
            self.rounds.effect(self.decision, f"reply:{key}", f"refused: {type(error).__name__}")
            return False
        self.rounds.effect(self.decision, f"reply:{key}", str(posted.comment_id))
        return True

    def put_summary(self, key: str, body: Neutralised) -> str:
        """Post the summary, or edit the one that is there; say which of ``posted``, ``edited``, ``kept`` it was."""
        there = self._marked(self.host.comments(self.decision.pull_number), MarkerKind.SUMMARY).get(key)
        if there is not None and there.body == body:
            return "kept"
        if there is None:
            self._intend(f"summary:{key}")
            posted = self.host.comment(self.decision.pull_number, body)
            self.rounds.effect(self.decision, f"summary:{key}", str(posted.comment_id))
            return "posted"
        self.rounds.intend(self.decision, f"summary:{key}")
        self.host.edit(there.comment_id, body)
        self.rounds.effect(self.decision, f"summary:{key}", str(there.comment_id))
        return "edited"

    def _marked(self, comments: tuple[PostedComment, ...], kind: MarkerKind) -> dict[str, PostedComment]:
        found: dict[str, PostedComment] = {}
        for comment in comments:
            if comment.author_id == self.bot_id:
                for marked, key in read_markers(comment.body):
                    if marked is kind:
                        found.setdefault(key, comment)
        return found
