"""Decides, from fresh reads, whether a round may begin, and collects what the fixer needs (feedback §2, §3, §4)."""

from dataclasses import dataclass, field

from autoswe.contracts.feedback.fixing import BriefSuggestion, BriefThread, FixerBrief
from autoswe.contracts.feedback.round import Gathered, GatherOutcome, RoundRequest, ThreadIndex, ThreadReference
from autoswe.contracts.records.platform import Automation, Decision, Fire, Origin
from autoswe.ports.feedback.hosts import GatherHost
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.github import Gone, NotYet, PartialAnswer, Refused
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import Activity, skipped
from autoswe.rules.feedback.brief import Brief, LabelledThread, compose_brief, shows_comment
from autoswe.rules.feedback.eligibility import (
    VISIBLE,
    Requester,
    SkipReason,
    judge_follow_up,
    judge_others,
    judge_pull,
    judge_requester,
    judge_rounds,
    judge_trigger,
    judge_words,
    judge_work_branch,
    may_write,
)
from autoswe.rules.feedback.lag import may_still_show
from autoswe.rules.feedback.naming import is_renamed, work_branch, work_branch_write
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.feedback.thread_suggestions import read_thread_suggestions
from autoswe.rules.github.facts import Author, Permission, Pull, Text
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.origin import HostOrigin, OriginReason, RecordedOrigin, judge_origin, opened_by_platform
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind, TriggerSource
from autoswe.rules.settings.registry import (
    AGENT_RUNS,
    AGENT_RUNS_MAX_PER_DAY,
    BUDGET,
    KILL_SWITCH,
    NEVER_PUSH_BRANCHES,
    OTHER_PULL_REQUESTS,
)
from autoswe.rules.text.suggestions import SuggestionReason
from autoswe.steps.feedback.agent_follow_up import count_follow_up, followed_up
from autoswe.steps.feedback.gate_planning import plan_gates
from autoswe.steps.feedback.gather_follow_up import gather_follow_up
from autoswe.steps.feedback.gather_ports import Ports
from autoswe.steps.feedback.push_target import foreseen_refusal
from autoswe.steps.feedback.round_records import LEASE_SECONDS, RoundRecords, keep_at
from autoswe.steps.feedback.spending import budget_reason
from autoswe.steps.feedback.standing import stands
from autoswe.steps.source import store_source

SETTINGS = (KILL_SWITCH, AGENT_RUNS, AGENT_RUNS_MAX_PER_DAY, BUDGET, NEVER_PUSH_BRANCHES, OTHER_PULL_REQUESTS)
"""The settings that decide whether a round begins."""


class _Skip(Exception):
    """Leaves gathering early with a reason; never seen outside this module."""

    def __init__(self, reason: SkipReason, *, is_absence: bool = False) -> None:
        """``is_absence`` says that something only does not show, which soon after the delivery is no answer."""
        super().__init__(reason)
        self.reason = reason
        self.is_absence = is_absence


def gather_feedback(request: RoundRequest, ports: Ports) -> Gathered:
    """Claim the pull request, re-read everything, and hand the round its artifacts, or say why it is skipped.

    Raises ``NotYet`` while what the delivery told of may still show.
    """
    records = RoundRecords.read(request, ports.records)
    if request.state.first is not None:
        return gather_follow_up(request, request.state.first, records, ports)
    try:
        return _gather(request, records, ports)
    except Gone as gone:
        _refuse_absence(records.decision, ports, str(gone))
        raise
    except _Skip as skip:
        if skip.is_absence:
            _refuse_absence(records.decision, ports, skip.reason)
        ports.rounds.note(records.decision, skipped(skip.reason))
        outcome = GatherOutcome.SKIP_VISIBLE if skip.reason in VISIBLE else GatherOutcome.SKIP_SILENT
        return Gathered(outcome=outcome, reason=skip.reason)


def _refuse_absence(decision: Decision, ports: Ports, what: str) -> None:
    if may_still_show(decision.decided_at, ports.clock()):
        raise NotYet(what)


def _gather(request: RoundRequest, records: RoundRecords, ports: Ports) -> Gathered:
    decision = records.decision
    settings = ports.records.settings(records.repository.place, *SETTINGS)
    _stop(None if settings.is_on(KILL_SWITCH) else SkipReason.KILL_SWITCH_OFF)
    fire = ports.rounds.claim(decision, request.execution, LEASE_SECONDS)
    if fire is None:
        raise _Skip(SkipReason.SLOT_HELD)
    host = ports.open_host(records.connection, decision.repository_id)
    if fire.pushed_sha is not None or _is_pushed(host, decision, fire):
        return Gathered(outcome=GatherOutcome.RESUME, head_sha=fire.head_sha)
    automation = _automation(ports.records, decision)
    origin = ports.records.origin(decision.connection, decision.repository, decision.pull_number)
    taken = _takes(automation, decision, origin)
    _stop(None if taken or not _is_ours(origin) else SkipReason.AUTOMATION_OFF)
    _stop(judge_follow_up(origin.kind if origin else None, agent_runs_on=settings.is_on(AGENT_RUNS)))
    task = _task(decision, origin, ports.records)
    state = host.pull_state(decision.pull_number, work_branch(decision.pull_number))
    pull = state.pull
    _stop(judge_pull(pull, origin.branch if origin else None))
    text = _read_trigger(decision, host)
    trust = _Trust(decision, host, ports.records)
    requester = trust.requester(text.author)
    _stop(judge_requester(requester), is_absence=requester.permission is Permission.NONE and requester.is_active_member)
    feedback = host.feedback(decision.pull_number, text)
    _stop(_judge_trigger(feedback.trigger, decision) or judge_words(feedback.trigger, trust))
    # From here on whatever fails is told on the pull request: that a head is on record says that its requester is
    # trusted.
    ports.rounds.record_head(decision, request.execution, pull.head_sha, pull.head_ref)
    # Only somebody who is trusted gets to see a reason, so everything visible is judged after trust.
    others_allowed = settings.is_on(OTHER_PULL_REQUESTS)
    _stop(_judge_origin(origin, pull, decision.trigger, taken=taken, others_allowed=others_allowed))
    _stop(judge_rounds(len(ports.rounds.earlier_commits(decision)), automation.max_rounds))
    _stop(budget_reason(settings, ports.records, ports.clock()))
    if is_renamed(decision.repository, state.repository.full_name):
        ports.rounds.note(decision, Activity.REPOSITORY_RENAMED)
    _stop(_judge_push(foreseen_refusal(state, records, settings)))
    _stop(_judge_work_branch(decision, state.beside, ports.rounds))
    trigger_comment = decision.trigger_id if decision.source == TriggerSource.INLINE_COMMENT else None
    if trigger_comment is not None and not shows_comment(feedback.threads, trigger_comment):
        _refuse_absence(decision, ports, "the thread that holds the trigger")
    brief = compose_brief(feedback.threads, feedback.trigger.body, trigger_comment, trust)
    if brief.dropped_comments:
        ports.rounds.note(decision, Activity.COMMENTS_DROPPED)
    if brief.screened_comments:
        ports.rounds.note(decision, Activity.COMMENTS_SCREENED)
    if not brief.threads:
        raise _Skip(SkipReason.NOTHING_TRUSTED, is_absence=not feedback.threads)
    if task is not None:
        _stop(count_follow_up(decision, settings, ports.records, ports.clock()))
    return _collect(request, records, ports, host, pull, brief, task)


def _stop(reason: SkipReason | None, *, is_absence: bool = False) -> None:
    if reason is not None:
        raise _Skip(reason, is_absence=is_absence)


def _is_pushed(host: GatherHost, decision: Decision, fire: Fire) -> bool:
    ref, commit = fire.head_ref, fire.commit_sha
    return ref is not None and commit is not None and stands(host, decision.pull_number, ref, commit)


def _automation(records: Records, decision: Decision) -> Automation:
    automation = records.automation(decision.connection, decision.automation_id)
    if automation is None or not _filter(automation).selects(decision.trigger, decision.repository):
        raise _Skip(SkipReason.AUTOMATION_OFF)
    return automation


def _takes(automation: Automation, decision: Decision, origin: Origin | None) -> bool:
    scope = PullRequestScope.PLATFORM if _is_ours(origin) else PullRequestScope.OTHERS
    return _filter(automation).takes(decision.trigger, decision.repository, scope)


def _is_ours(origin: Origin | None) -> bool:
    return opened_by_platform(origin.kind if origin else None)


def _filter(automation: Automation) -> AutomationFilter:
    return AutomationFilter(
        automation_id=automation.automation_id,
        enabled=automation.enabled,
        repositories=automation.repositories,
        triggers=automation.triggers,
        pull_requests=automation.pull_requests,
    )


def _task(decision: Decision, origin: Origin | None, records: Records) -> str | None:
    asked = followed_up(decision, origin, records)
    if isinstance(asked, SkipReason):
        raise _Skip(asked)
    return asked.task if asked else None


def _read_trigger(decision: Decision, host: GatherHost) -> Text:
    text = host.text(TriggerSource(decision.source), decision.pull_number, decision.trigger_id)
    _stop(_judge_trigger(text, decision), is_absence=text is None)
    if text is None:
        raise _Skip(SkipReason.TRIGGER_GONE)
    return text


def _judge_trigger(text: Text | None, decision: Decision) -> SkipReason | None:
    return judge_trigger(text, TriggerSource(decision.source), decision.trigger, decision.sender_id)


def _judge_origin(
    origin: Origin | None, pull: Pull, trigger: TriggerKind, *, taken: bool, others_allowed: bool
) -> SkipReason | None:
    recorded = RecordedOrigin(origin.kind, origin.run_status, origin.author_id, origin.branch) if origin else None
    reason = judge_origin(recorded, HostOrigin(pull.author_id, pull.head_ref))
    if reason is OriginReason.OTHER_PULL_REQUEST:
        return judge_others(trigger, taken=taken, allowed=others_allowed)
    return SkipReason(reason) if reason else None


def _judge_push(foreseen: PushRefusal | None) -> SkipReason | None:
    """Tell a refusal that the push would meet; a branch that its pull request does not bear out is asked for again."""
    if foreseen in {PushRefusal.BRANCH_MISSING, PushRefusal.HEAD_MOVED}:
        raise PartialAnswer("the branch is not, or not yet, where its open pull request says")
    return SkipReason(foreseen) if foreseen else None


def _judge_work_branch(decision: Decision, tip: str | None, rounds: Rounds) -> SkipReason | None:
    if tip is None:
        return None
    write = work_branch_write(decision.decision_id, decision.pull_number)
    return judge_work_branch(rounds.intended(decision, write), decision.decision_id)


@dataclass
class _Trust:
    """Judges one author at a time, asking the records and the host about each account once."""

    decision: Decision
    host: GatherHost
    records: Records
    _known: dict[int, Requester] = field(default_factory=dict)

    def __call__(self, author: Author) -> bool:
        requester = self.requester(author)
        return requester.is_active_member and may_write(requester.permission)

    def requester(self, author: Author | None) -> Requester:
        if author is None or author.is_bot:
            return Requester(is_active_member=False, permission=Permission.NONE)
        if author.account_id not in self._known:
            member = self.records.member(self.decision.connection, self.decision.repository, author.account_id)
            active = member is not None and member.active
            permission = self.host.permission(author) if active else Permission.NONE
            self._known[author.account_id] = Requester(active, permission)
        return self._known[author.account_id]


def _collect(
    request: RoundRequest,
    records: RoundRecords,
    ports: Ports,
    host: GatherHost,
    pull: Pull,
    brief: Brief,
    task: str | None,
) -> Gathered:
    wanted = {labelled.thread.path for labelled in brief.threads}
    try:
        source, contents = store_source(host, ports.artifacts, keep_at(request, "source.tar.gz"), pull.head_sha, wanted)
    except Refused as refused:
        raise _Skip(SkipReason.SOURCE_UNREADABLE) from refused
    plan = plan_gates(host, records.repository.gates, pull.base_sha)
    fixer_brief = _fixer_brief(brief, pull.head_sha, contents, task)
    threads = ThreadIndex(threads=tuple(_reference(labelled) for labelled in brief.threads))
    return Gathered(
        outcome=GatherOutcome.PROCEED,
        head_sha=pull.head_sha,
        source=source,
        brief=ports.artifacts.put(keep_at(request, "brief.json"), fixer_brief.dump()),
        threads=ports.artifacts.put(keep_at(request, "threads.json"), threads.dump()),
        plan=ports.artifacts.put(keep_at(request, "plan.json"), plan.dump()),
        dropped_comments=brief.dropped_comments,
        screened_comments=brief.screened_comments,
    )


def _reference(labelled: LabelledThread) -> ThreadReference:
    thread = labelled.thread
    return ThreadReference(
        label=labelled.label,
        root_comment_id=thread.comments[0].comment_id,
        path=thread.path,
        start_line=thread.start_line,
        end_line=thread.line,
    )


def _fixer_brief(brief: Brief, head_sha: str, contents: dict[str, bytes], task: str | None) -> FixerBrief:
    threads: list[BriefThread] = []
    suggestions: list[BriefSuggestion] = []
    for labelled in brief.threads:
        read = read_thread_suggestions(labelled.thread, labelled.comments, contents)
        unusable = read if isinstance(read, SuggestionReason) else None
        path, line = labelled.thread.path, labelled.thread.line
        threads.append(BriefThread(label=labelled.label, path=path, line=line, text=labelled.fenced, unusable=unusable))
        suggestions += [
            BriefSuggestion(
                label=labelled.label, path=path, start_line=edit.start_line, end_line=edit.end_line, lines=edit.lines
            )
            for edit in (read if not isinstance(read, SuggestionReason) else ())
        ]
    return FixerBrief(
        head_sha=head_sha,
        trigger_notes=brief.trigger_notes,
        threads=tuple(threads),
        suggestions=tuple(suggestions),
        task=task,
    )
