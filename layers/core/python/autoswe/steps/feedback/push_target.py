"""Asks, before anything is spent on a fix, whether it could be pushed at all (feedback §2, §5)."""

from autoswe.rules.feedback.push_gate import PushRefusal, judge_branch, never_pushed
from autoswe.rules.github.facts import PullState
from autoswe.rules.settings.registry import NEVER_PUSH_BRANCHES
from autoswe.rules.settings.resolution import StoredSettings
from autoswe.steps.feedback.round_records import RoundRecords


def foreseen_refusal(state: PullState, records: RoundRecords, settings: StoredSettings) -> PushRefusal | None:
    """Judge the pull request's branch by the gate that will judge it again when the fix is there.

    ``settings`` hold the branches that are never pushed to.
    """
    never_push = never_pushed(records.repository.never_push_branches, settings.resolve(NEVER_PUSH_BRANCHES))
    return judge_branch(state.pull.head_ref, state.branch, state.repository, never_push, state.pull.head_sha)
