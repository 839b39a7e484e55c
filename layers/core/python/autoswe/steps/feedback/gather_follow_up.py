"""Collects what the fixer needs to repair the CI that failed on a round's fix (feedback §1, §4)."""

from autoswe.contracts.feedback.fixing import FailedCi, FixerBrief
from autoswe.contracts.feedback.round import FirstFix, Gathered, GatherOutcome, RoundRequest, ThreadIndex
from autoswe.contracts.records.platform import Fire
from autoswe.ports.feedback.hosts import GatherHost
from autoswe.ports.github import Gone, NotYet
from autoswe.rules.feedback.activity import not_followed_up
from autoswe.rules.feedback.ci_logs import Evidence, ci_brief
from autoswe.rules.feedback.eligibility import SkipReason, judge_follow_up
from autoswe.rules.feedback.follow_up import NoFollowUp, judge_pushed_pull, judge_unusable
from autoswe.rules.feedback.lag import may_still_show
from autoswe.rules.feedback.naming import work_branch
from autoswe.rules.settings.registry import AGENT_RUNS, BUDGET, KILL_SWITCH, NEVER_PUSH_BRANCHES
from autoswe.rules.text.fence import join_fenced
from autoswe.rules.text.kinds import Fenced
from autoswe.steps.feedback.gate_planning import plan_gates
from autoswe.steps.feedback.gather_ports import Ports
from autoswe.steps.feedback.push_target import foreseen_refusal
from autoswe.steps.feedback.round_records import LEASE_SECONDS, InputMismatch, RoundRecords, SlotLost, keep_at
from autoswe.steps.feedback.spending import budget_reason
from autoswe.steps.source import store_source


class _Report(Exception):
    """Leaves gathering early: CI is reported as it stands; never seen outside this module."""

    def __init__(self, reason: NoFollowUp) -> None:
        super().__init__(reason)
        self.reason = reason


def gather_follow_up(request: RoundRequest, first: FirstFix, records: RoundRecords, ports: Ports) -> Gathered:
    """Judge the pushed pull request afresh and hand the fixer what CI said, or say why CI is only reported.

    Raises ``NotYet`` while the pushed commit may still show, and ``SlotLost`` when this execution no longer holds the
    pull request.
    """
    fire = ports.rounds.held(records.decision, request.execution, LEASE_SECONDS)
    if fire is None:
        raise SlotLost("another execution holds this pull request")
    try:
        return _gather(request, first, fire, records, ports)
    except Gone as gone:
        _refuse_absence(fire, ports, str(gone))
        raise
    except _Report as report:
        ports.rounds.note(records.decision, not_followed_up(report.reason))
        return Gathered(outcome=GatherOutcome.REPORT, reason=report.reason)


def _gather(request: RoundRequest, first: FirstFix, fire: Fire, records: RoundRecords, ports: Ports) -> Gathered:
    decision, commit = records.decision, first.push.value.commit_sha
    if commit is None or fire.commit_sha != commit or not fire.pushed:
        raise InputMismatch("the round's record names another pushed commit than its state")
    settings = ports.records.settings(records.repository.place, KILL_SWITCH, AGENT_RUNS, BUDGET, NEVER_PUSH_BRANCHES)
    _stop(None if settings.is_on(KILL_SWITCH) else NoFollowUp.KILL_SWITCH_OFF)
    origin = ports.records.origin(decision.connection, decision.repository, decision.pull_number)
    _stop(judge_follow_up(origin.kind if origin else None, agent_runs_on=settings.is_on(AGENT_RUNS)))
    _stop(budget_reason(settings, ports.records, ports.clock()))
    host = ports.open_host(records.connection, decision.repository_id)
    state = host.pull_state(decision.pull_number, work_branch(decision.pull_number))
    pull = state.pull
    if pull.head_sha == first.gather.value.head_sha:
        _refuse_absence(fire, ports, "the pushed commit")
    _stop(judge_pushed_pull(pull, commit, fire.head_ref))
    _stop(NoFollowUp.PUSH_NOT_ALLOWED if foreseen_refusal(state, records, settings) else None)
    evidence = ci_brief(ports.open_evidence(records.connection, decision.repository_id).evidence(commit))
    if not isinstance(evidence, Evidence):
        raise _Report(judge_unusable(evidence))
    ports.rounds.record_head(decision, request.execution, commit, pull.head_ref)
    return _collect(request, first, records, ports, host, evidence, (commit, pull.base_sha))


def _refuse_absence(fire: Fire, ports: Ports, what: str) -> None:
    if fire.commit_pushed_at is not None and may_still_show(fire.commit_pushed_at, ports.clock()):
        raise NotYet(what)


def _stop(reason: NoFollowUp | SkipReason | None) -> None:
    if reason is not None:
        raise _Report(NoFollowUp(reason.value))


def _collect(
    request: RoundRequest,
    first: FirstFix,
    records: RoundRecords,
    ports: Ports,
    host: GatherHost,
    evidence: Evidence,
    commits: tuple[str, str],
) -> Gathered:
    head_sha, base_sha = commits
    source, _ = store_source(host, ports.artifacts, keep_at(request, "source.tar.gz"), head_sha, set())
    answered = _answered(first, ports)
    brief = FixerBrief(
        head_sha=head_sha,
        trigger_notes=None,
        threads=(),
        suggestions=(),
        failed_ci=FailedCi(evidence=evidence.fenced, remarks=_remarks(answered)),
        task=answered.task,
    )
    plan = plan_gates(host, records.repository.gates, base_sha)
    return Gathered(
        outcome=GatherOutcome.PROCEED,
        head_sha=head_sha,
        source=source,
        brief=ports.artifacts.put(keep_at(request, "brief.json"), brief.dump()),
        threads=ports.artifacts.put(keep_at(request, "threads.json"), ThreadIndex(threads=()).dump()),
        plan=ports.artifacts.put(keep_at(request, "plan.json"), plan.dump()),
    )


def _answered(first: FirstFix, ports: Ports) -> FixerBrief:
    """Read the brief that the round's fix answered."""
    reference = first.gather.value.brief
    if reference is None:
        raise InputMismatch("the state names no brief of the round's fix")
    return FixerBrief.model_validate_json(ports.artifacts.get(reference))


def _remarks(brief: FixerBrief) -> Fenced:
    """Take over what reviewers said, screened and fenced as it was for the fix."""
    notes = [Fenced(brief.trigger_notes)] if brief.trigger_notes is not None else []
    return join_fenced([*notes, *(Fenced(thread.text) for thread in brief.threads)])
