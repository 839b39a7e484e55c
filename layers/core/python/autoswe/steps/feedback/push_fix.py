"""Moves the pull request's branch forward by one commit, when every gate agrees at that moment (feedback §5)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO

from autoswe.contracts.feedback.round import (
    GatherOutcome,
    Pushed,
    PushOutcome,
    RoundReport,
    RoundRequest,
    ThreadIndex,
)
from autoswe.contracts.records.platform import Connection, Decision, Fire
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.ports.feedback.hosts import PushHost
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.github import MOST_TEXTS, Forbidden, Gone, NotYet, Refused, RuleBroken
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import Activity, push_refused
from autoswe.rules.feedback.lag import is_recent
from autoswe.rules.feedback.naming import report_key, work_branch, work_branch_write
from autoswe.rules.feedback.push_gate import (
    PushRefusal,
    added_lines,
    demands_signature,
    judge_branch,
    judge_change,
    judge_created_tree,
    judge_opener,
    judge_pull_request,
    never_pushed,
)
from autoswe.rules.github.facts import PullState, Tree
from autoswe.rules.records.origin import opened_by_platform
from autoswe.rules.settings.registry import KILL_SWITCH, NEVER_PUSH_BRANCHES, OTHER_PULL_REQUESTS
from autoswe.rules.settings.resolution import StoredSettings
from autoswe.rules.source.archive import SourceRefused, read_source
from autoswe.rules.text.redact import find_secrets
from autoswe.steps.feedback.fixer_results import FixerResults, ResultsRefused, read_results
from autoswe.steps.feedback.push_report import report_follow_up, report_push
from autoswe.steps.feedback.round_records import (
    LEASE_SECONDS,
    GatheredArtifacts,
    InputMismatch,
    RoundRecords,
    SlotLost,
    gathered_artifacts,
)
from autoswe.steps.feedback.standing import stands

FOLLOW_UP_MESSAGE = "Repair CI\n\nMade by auto-swe after CI failed on its last commit on this pull request.\n"
COMMIT_MESSAGE = "Address review feedback\n\nMade by auto-swe from the open review threads of this pull request.\n"
MAX_REPORT_BYTES = 4 * 1024 * 1024
"""More than the largest report takes: 200 paths of 4 KiB as JSON spells them, and a note for each of 100 threads."""

MAX_BEFORE_BYTES = 8 * 1024 * 1024

MAX_SOURCE_BYTES = 16 * 1024 * 1024
"""How large the round's stored source may be for a push to look through it; it holds the text of one file at a time."""


@dataclass(frozen=True)
class Ports:
    """What pushing reads and writes; ``machine`` is the state machine that may push."""

    records: Records
    rounds: Rounds
    artifacts: Artifacts
    machine: str
    open_host: Callable[[Connection, int], PushHost]


_UNMOVED = {PushRefusal.HEAD_MOVED, PushRefusal.HOST_REFUSED}
"""What may be one machine's old news while the branch itself is where it was."""


class _Refuse(Exception):
    """Leaves pushing with a refusal; never seen outside this module."""

    def __init__(self, refusal: PushRefusal, *, final: bool = False) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.final = final


def push_fix(request: RoundRequest, ports: Ports) -> Pushed:
    """Push the collected change, find that it is pushed already, or say which gate refused.

    Raises ``NotYet`` while what stopped it may pass: what we just made may not show yet, and a host may refuse a move
    in a bad moment. Raises ``SlotLost`` when this execution no longer holds the pull request.
    """
    records = RoundRecords.read(request, ports.records)
    fire = ports.rounds.held(records.decision, request.execution, LEASE_SECONDS)
    if fire is None:
        raise SlotLost("another execution holds this pull request")
    push = _Push(request, records, ports, fire, ports.open_host(records.connection, records.decision.repository_id))
    try:
        return _push(push)
    except (Gone, Refused) as error:
        push.try_again(str(error))
        raise


def _push(push: "_Push") -> Pushed:
    try:
        return push.found() or push.make()
    except _Refuse as refuse:
        return push.found_after_all() or push.refuse(refuse.refusal, final=refuse.final)


def _stop(refusal: PushRefusal | None) -> None:
    if refusal is not None:
        raise _Refuse(refusal)


@dataclass(frozen=True)
class _Push:
    """One push of one round."""

    request: RoundRequest
    records: RoundRecords
    ports: Ports
    fire: Fire
    host: PushHost

    @property
    def decision(self) -> Decision:
        return self.records.decision

    def found(self) -> Pushed | None:
        """Find the round's recorded commit on the branch: an earlier try pushed it, whatever became of its reply.

        A follow-up that an execution before this one recorded and never pushed gives way to the fix that it followed.
        """
        commit = self._recorded
        if commit is not None and self.fire.head_ref is not None and (self.fire.pushed or self._stands(commit)):
            return self._settle(commit)
        before = self.fire.pushed_sha
        if before is None or self.request.state.first is not None:
            return None
        return self._settle(self._record(before))

    def found_after_all(self) -> Pushed | None:
        """Look once more for the recorded commit before a refusal: another try, or this one, may have pushed it."""
        fire = self.ports.rounds.held(self.decision, self.request.execution, LEASE_SECONDS)
        if fire is None:
            raise SlotLost("another execution took this pull request before the push")
        return replace(self, fire=fire).found() if fire.commit_sha is not None else None

    def refuse(self, refusal: PushRefusal, *, final: bool) -> Pushed:
        """Give up; but first try again what a host that is behind, or in a bad moment, may have said."""
        if not final and self._may_pass(refusal):
            self.try_again(refusal)
        self.drop_work_branch()
        self.ports.rounds.note(self.decision, push_refused(refusal))
        return Pushed(outcome=PushOutcome.REFUSED, reason=refusal)

    def _may_pass(self, refusal: PushRefusal) -> bool:
        unmoved = refusal in _UNMOVED and self.host.ref(f"heads/{self.fire.head_ref}") == self.fire.head_sha
        return unmoved or refusal is PushRefusal.BRANCH_MISSING

    def try_again(self, why: str) -> None:
        """Raise ``NotYet`` unless this push has been in doubt for too long already."""
        followed = self.request.state.first.push.value.commit_sha if self.request.state.first else None
        if is_recent(self.ports.rounds.doubted_seconds(self.decision, f"push:{followed or self.fire.head_sha}")):
            raise NotYet(why)

    def _stands(self, commit: str) -> bool:
        ref = self.fire.head_ref
        return ref is not None and stands(self.host, self.decision.pull_number, ref, commit)

    @property
    def _recorded(self) -> str | None:
        """The commit that was recorded for this push; on a follow-up, the fix that it follows up is none."""
        first = self.request.state.first
        followed = first.push.value.commit_sha if first else None
        return self.fire.commit_sha if self.fire.commit_sha != followed else None

    def make(self) -> Pushed:
        """Judge everything, make the commit, and move the branch."""
        gather = self.request.state.gather
        if gather is not None and gather.value.outcome is GatherOutcome.RESUME:
            raise InputMismatch("the round resumed, but its commit is not on the branch")
        if self.request.machine != self.ports.machine:
            raise _Refuse(PushRefusal.NOT_OUR_WORKFLOW)
        settings = self._settings()
        gathered = gathered_artifacts(self.request)
        index = ThreadIndex.model_validate_json(self.ports.artifacts.get(gathered.threads))
        results = self._results(gathered, index)
        if not results.files:
            return self._unchanged(index, results, gathered)
        _stop(PushRefusal.GATES_FAILED if results.gates_failed else None)
        self._judge_target(gathered.head_sha, settings)
        head = self.host.tree(gathered.head_sha)
        _stop(judge_change(results.files, head))
        before = self._before(results, index)
        self._judge_secrets(results, before)
        commit = self._commit(results, head, index, before, gathered.head_sha)
        return self._move(gathered.head_sha, commit, self._judge_moment(gathered.head_sha, commit))

    def _results(self, gathered: GatheredArtifacts, index: ThreadIndex) -> FixerResults:
        prepared = self.request.state.prepare
        if prepared is None:
            raise InputMismatch("the state holds no prepared task")
        try:
            labels = {thread.label for thread in index.threads}
            return read_results(self.ports.artifacts, prepared.value, gathered, labels)
        except ResultsRefused:
            raise _Refuse(PushRefusal.FIXER_LEFT_NOTHING) from None

    def _unchanged(self, index: ThreadIndex, results: FixerResults, gathered: GatheredArtifacts) -> Pushed:
        if self.request.state.first is not None:
            return Pushed(outcome=PushOutcome.UNCHANGED)
        report = self._report(index, results, {})
        key = report_key(self.decision.decision_id, gathered.head_sha)
        return Pushed(outcome=PushOutcome.UNCHANGED, report=self.ports.artifacts.put(key, report.dump()))

    def _settings(self) -> StoredSettings:
        """Read the settings that a push obeys; the kill switch must be on."""
        place = self.records.repository.place
        settings = self.ports.records.settings(place, KILL_SWITCH, NEVER_PUSH_BRANCHES, OTHER_PULL_REQUESTS)
        _stop(None if settings.is_on(KILL_SWITCH) else PushRefusal.KILL_SWITCH_OFF)
        return settings

    @cached_property
    def _opened_by_platform(self) -> bool:
        """Who opened the pull request, by our records; unlike a setting it does not change while a commit is made."""
        decision = self.decision
        origin = self.ports.records.origin(decision.connection, decision.repository, decision.pull_number)
        return opened_by_platform(origin.kind if origin else None)

    def _judge_moment(self, head_sha: str, commit: str) -> PullState:
        """Ask again, right before the branch moves, what may have changed while the commit was made."""
        if self.ports.rounds.held(self.decision, self.request.execution, LEASE_SECONDS) is None:
            raise SlotLost("another execution took this pull request before the push")
        state = self._judge_target(head_sha, self._settings())
        if demands_signature(state.branch) and not self.host.is_signed(commit):
            raise _Refuse(PushRefusal.UNSIGNED_COMMIT)
        return state

    def _judge_target(self, head_sha: str, settings: StoredSettings) -> PullState:
        ref = self.fire.head_ref
        if ref is None or self.fire.head_sha != head_sha:
            raise InputMismatch("the round's record names another head than its state")
        others_allowed = settings.is_on(OTHER_PULL_REQUESTS)
        opened_by_us = self._opened_by_platform
        _stop(judge_opener(self.decision.trigger, opened_by_platform=opened_by_us, others_allowed=others_allowed))
        state = self.host.pull_state(self.decision.pull_number, work_branch(self.decision.pull_number))
        _stop(judge_pull_request(state.pull, head_sha, ref))
        never_push = never_pushed(self.records.repository.never_push_branches, settings.resolve(NEVER_PUSH_BRANCHES))
        _stop(judge_branch(ref, state.branch, state.repository, never_push, head_sha))
        return state

    def _before(self, results: FixerResults, index: ThreadIndex) -> Mapping[str, bytes | None]:
        """Read, once each, the files before the change that a judgement needs: with a thread or a secret in them."""
        threaded = {thread.path for thread in index.threads}
        wanted = {
            file.path: file.before
            for file in results.files
            if file.before and (file.path in threaded or find_secrets(_text(results.contents.get(file.path))))
        }
        known = self._on_record(wanted) or self._texts(sorted(set(wanted.values())))
        return {path: known[sha] if sha in known else self._blob(sha) for path, sha in wanted.items()}

    def _on_record(self, wanted: Mapping[str, str]) -> Mapping[str, bytes]:
        """Take what stood there from the round's own source, unless that is too large to be looked through here."""
        gathered = gathered_artifacts(self.request)
        if not wanted or gathered.source.bytes > MAX_SOURCE_BYTES:
            return {}
        try:
            source = read_source(BytesIO(self.ports.artifacts.get(gathered.source)))
            found = {file.path: file for file in source if file.path in wanted}
        except SourceRefused:
            return {}
        return {wanted[path]: file.content for path, file in found.items() if file.blob_id == wanted[path]}

    def _texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        """Read several blobs in few calls; one alone is read by itself."""
        known: dict[str, bytes] = {}
        for start in range(0, len(shas) if len(shas) > 1 else 0, MOST_TEXTS):
            known |= self.host.texts(shas[start : start + MOST_TEXTS])
        return known

    def _blob(self, sha: str) -> bytes | None:
        try:
            return self.host.blob(sha, MAX_BEFORE_BYTES)
        except Refused:
            return None

    def _judge_secrets(self, results: FixerResults, before: Mapping[str, bytes | None]) -> None:
        for path, content in results.contents.items():
            if find_secrets(added_lines(before.get(path) or b"", content)):
                raise _Refuse(PushRefusal.SECRET_IN_CHANGE)

    def _commit(
        self,
        results: FixerResults,
        head: Tree,
        index: ThreadIndex,
        before: Mapping[str, bytes | None],
        head_sha: str,
    ) -> str:
        """Make the commit and record it, or take the one this execution recorded before it was interrupted."""
        recorded = self._recorded
        if recorded is not None and self._made_by_us(recorded):
            return recorded
        changes = [NewFile(file.path, file.mode, results.contents.get(file.path)) for file in results.files]
        tree = self.host.make_tree(head.sha, changes)
        _stop(judge_created_tree(head, self.host.tree(tree), results.files))
        message = COMMIT_MESSAGE if self.request.state.first is None else FOLLOW_UP_MESSAGE
        commit = self.host.make_commit(message, tree, head_sha)
        report = self._report(index, results, before)
        self.ports.artifacts.put(report_key(self.decision.decision_id, commit), report.dump())
        return self._record(commit)

    def _record(self, commit: str) -> str:
        """Record a commit, and return the one to push: another try of this state may have recorded its own."""
        seen = self.fire.commit_sha
        recorded = self.ports.rounds.record_commit(self.decision, self.request.execution, commit, seen)
        if recorded is None:
            raise SlotLost("another execution took this pull request before the push")
        return recorded

    def _made_by_us(self, commit: str) -> bool:
        try:
            stored = self.ports.artifacts.fetch(report_key(self.decision.decision_id, commit), MAX_REPORT_BYTES)
        except ArtifactRefused:
            return False
        return RoundReport.model_validate_json(stored).execution == self.request.execution

    def _move(self, head_sha: str, commit: str, state: PullState) -> Pushed:
        branch, ref, tip = work_branch(self.decision.pull_number), self.fire.head_ref, state.beside
        if tip is not None and not self._work_branch_is_ours():
            raise _Refuse(PushRefusal.WORK_BRANCH_LEFT)
        self.ports.rounds.intend(self.decision, self._work_branch_write())
        if tip is not None and tip != commit:
            self.host.drop_ref(f"heads/{branch}")
        try:
            if tip != commit:
                self.host.make_ref(f"heads/{branch}", commit)
            self.host.move_ref(state.repository.node_id, f"heads/{ref}", head_sha, commit)
        except Refused as error:
            if not self._stands(commit):
                moved = self.host.ref(f"heads/{ref}") != head_sha
                refusal = PushRefusal.HEAD_MOVED if moved else PushRefusal.HOST_REFUSED
                raise _Refuse(refusal, final=isinstance(error, RuleBroken)) from None
        return self._settle(commit)

    def _settle(self, commit: str) -> Pushed:
        self.ports.rounds.record_pushed(self.decision, commit)
        self.drop_work_branch()
        key = report_key(self.decision.decision_id, commit)
        report = self.ports.artifacts.put(key, self.ports.artifacts.fetch(key, MAX_REPORT_BYTES))
        return Pushed(outcome=PushOutcome.PUSHED, commit_sha=commit, report=report)

    def drop_work_branch(self) -> None:
        """Delete the work branch if this decision made it and the host allows it; any other is a person's to delete."""
        if not self._work_branch_is_ours():
            return
        try:
            self.host.drop_ref(f"heads/{work_branch(self.decision.pull_number)}")
        except (Gone, Refused, Forbidden):
            # Whether the branch can go says nothing about the push, which is done or refused by now.
            self.ports.rounds.note(self.decision, Activity.WORK_BRANCH_KEPT)
        else:
            self.ports.rounds.effect(self.decision, self._work_branch_write(), "deleted")

    def _work_branch_write(self) -> str:
        return work_branch_write(self.decision.decision_id, self.decision.pull_number)

    def _work_branch_is_ours(self) -> bool:
        return self.ports.rounds.intended(self.decision, self._work_branch_write()) == self.decision.decision_id

    def _report(self, index: ThreadIndex, results: FixerResults, before: Mapping[str, bytes | None]) -> RoundReport:
        report = report_push(self.request.execution, index, results, before)
        first = self.request.state.first.push.value if self.request.state.first else None
        if first is None or first.report is None:
            return report
        earlier = RoundReport.model_validate_json(self.ports.artifacts.get(first.report))
        return report_follow_up(earlier, report, first.commit_sha)


@dataclass(frozen=True)
class NewFile:
    """One file of the tree to make; without content its path is deleted."""

    path: str
    mode: str
    content: bytes | None


def _text(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")
