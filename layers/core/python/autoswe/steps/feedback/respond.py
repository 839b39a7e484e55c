"""Reports a round on its pull request: one summary comment, and one reply on each answered thread (feedback §4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
from autoswe.contracts.records.platform import Connection, Fire
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.feedback.hosts import ReportHost
from autoswe.ports.feedback.rounds import Rounds
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
from autoswe.rules.text.kinds import Untrusted
from autoswe.steps.feedback.comment_writes import CommentWrites, Pace
from autoswe.steps.feedback.round_records import LEASE_SECONDS, InputMismatch, RoundRecords, SlotLost


@dataclass(frozen=True)
class Ports:
    """What reporting reads and writes; ``sleep`` lets seconds pass between writes."""

    records: Records
    rounds: Rounds
    artifacts: Artifacts
    open_host: Callable[[Connection, int], ReportHost]
    clock: Clock
    sleep: Callable[[float], None]


def respond(request: RoundRequest, ports: Ports) -> Reported:
    """Post or edit the summary and, on a round's first report, reply on each thread that has no reply of it yet.

    Called twice with the same state it changes nothing the second time. Raises ``WritesLeft`` when it made as many
    writes as one call may, ``NotYet`` when some are to be tried again in a moment, and ``SlotLost`` when this execution
    no longer holds the pull request. A round that failed before its requester was found trusted tells nobody.
    """
    records = RoundRecords.read(request, ports.records)
    decision = records.decision
    fire = ports.rounds.held(decision, request.execution, LEASE_SECONDS)
    if fire is None:
        raise SlotLost("another execution holds this pull request")
    if request.state.gather is None and request.state.first is None and fire.head_sha is None:
        return Reported(summary="untold", replies=0)
    push = _fix(request.state) or _pushed_after_all(fire)
    report = _read_report(ports.artifacts, push)
    host = ports.open_host(records.connection, decision.repository_id)
    writes = CommentWrites(decision, records.connection.bot_id, ports.rounds, host, ports.clock, Pace(ports.sleep))
    lines = {thread.root_comment_id: _thread_line(thread) for thread in report.threads} if report else {}
    replies = 0
    if request.state.report is None:
        replies = _reply(writes, lines, push)
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
    shown = writes.put_summary(key, summary_body(summary, key))
    writes.finish()
    return Reported(summary=shown, replies=replies, late=late[:MOST_LATE])


def _reply(writes: CommentWrites, lines: Mapping[int, ThreadLine], push: Pushed | None) -> int:
    """Reply in each thread; return in how many a reply of this round stands."""
    commit_sha = push.commit_sha if push else None
    keys = {reply_marker_key(writes.decision.decision_id, root): root for root in lines}
    return sum(writes.reply(key, root, reply_body(lines[root], commit_sha, key)) for key, root in keys.items())


def _pushed(state: RoundState) -> Pushed | None:
    return state.push.value if state.push else None


def _fix(state: RoundState) -> Pushed | None:
    """Return the push to tell of: a follow-up that pushed nothing leaves the round's fix as it was."""
    push = _pushed(state)
    if state.first is None or (push is not None and push.outcome is PushOutcome.PUSHED):
        return push
    return state.first.push.value


def _pushed_after_all(fire: Fire) -> Pushed | None:
    """Return the push of a round whose state holds none: it is on record, and what became of the step is not."""
    if fire.pushed_sha is None:
        return None
    return Pushed(outcome=PushOutcome.PUSHED, commit_sha=fire.pushed_sha)


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
    if state.push is None and state.first is None:
        return CiLine.UNKNOWN
    followed = state.first is not None and _fix(state) is state.first.push.value
    return CiLine.RED if followed else CiLine.WATCHING


def _thread_line(thread: ReportThread) -> ThreadLine:
    claim = Claim.PERSON
    if thread.outcome == ThreadOutcomeKind.ADDRESSED:
        claim = Claim.ADDRESSED if thread.claims_addressed else Claim.CHANGED
    path = Untrusted(thread.path) if thread.path is not None else None
    return ThreadLine(thread.label, path, claim, Untrusted(thread.note))
