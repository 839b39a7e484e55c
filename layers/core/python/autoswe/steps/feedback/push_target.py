"""Asks, before anything is spent on a fix, whether it could be pushed at all (feedback §2, §5)."""

from autoswe.ports.feedback.hosts import GatherHost
from autoswe.rules.feedback.push_gate import PushRefusal, judge_branch, never_pushed
from autoswe.rules.github.facts import Pull, Repository
from autoswe.rules.settings.registry import NEVER_PUSH_BRANCHES
from autoswe.rules.settings.resolution import StoredSettings
from autoswe.steps.feedback.round_records import RoundRecords


def foreseen_refusal(
    pull: Pull, host: GatherHost, repository: Repository, records: RoundRecords, settings: StoredSettings
) -> PushRefusal | None:
    """Judge the pull request's branch by the gate that will judge it again when the fix is there.

    ``settings`` hold the branches that are never pushed to.
    """
    never_push = never_pushed(records.repository.never_push_branches, settings.resolve(NEVER_PUSH_BRANCHES))
    return judge_branch(pull.head_ref, host.branch(pull.head_ref), repository, never_push, pull.head_sha)
