"""Every gate between a collected change and a pull request's branch (feedback §5).

A gate answers with the first refusal it finds, or with nothing. Whoever asks re-reads the facts at the moment of the
push; a fact that could not be read never gets here, because its reader raises.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from autoswe.rules.github.facts import Branch, Pull, Repository, Tree, TreeEntry
from autoswe.rules.records.triggers import TriggerKind
from autoswe.rules.settings.resolution import Resolved, Unreadable
from autoswe.rules.source.archive import find_path_fault
from autoswe.rules.text.suggestions import is_protected_path

REGULAR_MODES = frozenset({"100644", "100755"})
SATISFIED_RULES = frozenset(
    {"creation", "deletion", "non_fast_forward", "required_linear_history", "copilot_code_review"}
)
"""Ruleset rules that one commit of one parent keeps, whatever it holds (Available rules for rulesets).

The branch is there, stays there and goes forward; there is no merge commit; a review that is asked for refuses nothing.
Any other rule but the one about signatures closes the branch. ``pull_request``, ``merge_queue``, ``update``,
``required_status_checks``, ``required_deployments``, ``workflows``, ``code_scanning`` and
``license_compliance_scanning`` hold back whatever is pushed directly, and whether we may bypass them is not told.
Patterns and restrictions of messages, addresses, names, paths and files are the host's to judge, after the work is
done. A type that is not known here may mean anything.
"""

SIGNATURES = "required_signatures"
"""The ruleset rule that a commit keeps if the host signs it."""

MAX_PATHS = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class PushRefusal(StrEnum):
    """Why a fix is not pushed.

    Of the round: ``not_our_workflow`` (another state machine than the built-in one), ``fixer_left_nothing`` (a result
    is missing, unreadable or not bound to the others), ``gates_failed``, ``kill_switch_off``.
    Of the pull request: ``pull_closed``, ``pull_from_fork``, ``branch_changed``, ``head_moved``,
    ``other_pull_request`` (the platform did not open it, and the trigger or the settings allow no push to it).
    Of the repository and branch: ``repository_archived``, ``branch_missing``, ``default_branch``,
    ``protected_branch`` (a classic protection, or a ruleset rule that our commit may not keep), ``never_push_branch``,
    ``work_branch_left``, ``unsigned_commit`` (the branch takes signed commits alone, and the host did not sign ours).
    Of the change: ``too_many_paths``, ``unsafe_path``, ``protected_path``, ``unsafe_mode``, ``stale_base`` (a file is
    not what the change was made from), ``tree_truncated``, ``tree_differs`` (the created tree is not head plus
    change), ``secret_in_change``.
    Of the host: ``host_refused`` (a rule on its side said no).
    """

    NOT_OUR_WORKFLOW = "not_our_workflow"
    FIXER_LEFT_NOTHING = "fixer_left_nothing"
    GATES_FAILED = "gates_failed"
    KILL_SWITCH_OFF = "kill_switch_off"
    PULL_CLOSED = "pull_closed"
    PULL_FROM_FORK = "pull_from_fork"
    BRANCH_CHANGED = "branch_changed"
    HEAD_MOVED = "head_moved"
    OTHER_PULL_REQUEST = "other_pull_request"
    REPOSITORY_ARCHIVED = "repository_archived"
    BRANCH_MISSING = "branch_missing"
    DEFAULT_BRANCH = "default_branch"
    PROTECTED_BRANCH = "protected_branch"
    NEVER_PUSH_BRANCH = "never_push_branch"
    WORK_BRANCH_LEFT = "work_branch_left"
    UNSIGNED_COMMIT = "unsigned_commit"
    TOO_MANY_PATHS = "too_many_paths"
    UNSAFE_PATH = "unsafe_path"
    PROTECTED_PATH = "protected_path"
    UNSAFE_MODE = "unsafe_mode"
    STALE_BASE = "stale_base"
    TREE_TRUNCATED = "tree_truncated"
    TREE_DIFFERS = "tree_differs"
    SECRET_IN_CHANGE = "secret_in_change"  # noqa: S105 - the name of a refusal, not a secret
    HOST_REFUSED = "host_refused"


@dataclass(frozen=True)
class ChangedFile:
    """One file of a change: path, mode after, and blob before and after; an absent blob is an absent file."""

    path: str
    mode: str
    before: str | None
    after: str | None


def judge_pull_request(pull: Pull, recorded_sha: str, recorded_ref: str) -> PushRefusal | None:
    """Require the pull request to be open, of this repository, on the recorded branch and at the recorded head."""
    if not pull.is_open:
        return PushRefusal.PULL_CLOSED
    if pull.head_repository_id != pull.repository_id:
        return PushRefusal.PULL_FROM_FORK
    if pull.head_ref != recorded_ref:
        return PushRefusal.BRANCH_CHANGED
    if pull.head_sha != recorded_sha:
        return PushRefusal.HEAD_MOVED
    return None


def judge_opener(trigger: TriggerKind, *, opened_by_platform: bool, others_allowed: bool) -> PushRefusal | None:
    """Require a pull request that the platform opened, or the command and the settings' leave to push to others'."""
    if opened_by_platform or (trigger is TriggerKind.COMMAND and others_allowed):
        return None
    return PushRefusal.OTHER_PULL_REQUEST


def never_pushed(recorded: Iterable[str], setting: Resolved[tuple[str, ...]] | Unreadable) -> tuple[str, ...]:
    """List the branches that are never pushed to: the repository's own and the setting's (feedback §6).

    A setting that cannot be read might have named any branch.
    """
    return (*recorded, *(setting.value if isinstance(setting, Resolved) else ("*",)))


def judge_branch(
    name: str, branch: Branch | None, repository: Repository, never_push: Iterable[str], recorded_sha: str
) -> PushRefusal | None:
    """Require a branch that a fix may go to, still at the recorded head.

    In ``never_push`` a ``*`` stands for any characters, which no branch's name holds.
    """
    if repository.archived:
        return PushRefusal.REPOSITORY_ARCHIVED
    if branch is None:
        return PushRefusal.BRANCH_MISSING
    if name == repository.default_branch:
        return PushRefusal.DEFAULT_BRANCH
    kept = SATISFIED_RULES | ({SIGNATURES} if repository.signs_commits else set())
    if branch.protected or not set(branch.rule_types) <= kept:
        return PushRefusal.PROTECTED_BRANCH
    if any(fnmatchcase(name, pattern) for pattern in never_push):
        return PushRefusal.NEVER_PUSH_BRANCH
    if branch.tip != recorded_sha:
        return PushRefusal.HEAD_MOVED
    return None


def demands_signature(branch: Branch | None) -> bool:
    """Say whether a branch takes signed commits alone."""
    return branch is not None and SIGNATURES in branch.rule_types


def judge_path(path: str) -> PushRefusal | None:
    """Refuse a path that leaves the tree, hides where it leads, names git's folder, or is a workflow or an action."""
    if find_path_fault(path) or _CONTROL.search(path) or "\\" in path or ":" in path:
        return PushRefusal.UNSAFE_PATH
    return PushRefusal.PROTECTED_PATH if is_protected_path(path) else None


def judge_change(files: Iterable[ChangedFile], head: Tree) -> PushRefusal | None:
    """Judge what the container says it changed against the head's tree, before anything is created on the host."""
    if head.truncated:
        return PushRefusal.TREE_TRUNCATED
    changed = tuple(files)
    if len(changed) > MAX_PATHS or len({file.path for file in changed}) != len(changed):
        return PushRefusal.TOO_MANY_PATHS
    entries = {entry.path: entry for entry in head.entries}
    for file in changed:
        refusal = judge_path(file.path) or _judge_file(file, entries.get(file.path))
        if refusal:
            return refusal
    return None


def _judge_file(file: ChangedFile, entry: TreeEntry | None) -> PushRefusal | None:
    if file.mode not in REGULAR_MODES or (entry is not None and entry.mode not in REGULAR_MODES):
        return PushRefusal.UNSAFE_MODE
    if file.before != (entry.sha if entry else None):
        return PushRefusal.STALE_BASE
    return None


def judge_created_tree(head: Tree, created: Tree, files: Iterable[ChangedFile]) -> PushRefusal | None:
    """Require the created tree to be the head's tree plus exactly the change: nothing more and nothing less."""
    if head.truncated or created.truncated:
        return PushRefusal.TREE_TRUNCATED
    expected = {entry.path: (entry.mode, entry.sha) for entry in head.entries}
    for file in files:
        if file.after is None:
            expected.pop(file.path, None)
        else:
            expected[file.path] = (file.mode, file.after)
    actual = {entry.path: (entry.mode, entry.sha) for entry in created.entries}
    return None if actual == expected else PushRefusal.TREE_DIFFERS


def added_lines(before: bytes, after: bytes) -> str:
    """Return the lines of ``after`` that ``before`` does not hold: what a change would make public."""
    known = set(before.splitlines())
    return "\n".join(line.decode(errors="replace") for line in after.splitlines() if line not in known)
