"""Whether a round may begin, judged when it gathers and not when its delivery arrived (feedback §2)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.github.facts import Author, Edit, Permission, Pull, Text
from autoswe.rules.records.origin import OriginKind
from autoswe.rules.records.triggers import TriggerKind, TriggerSource, still_a_trigger


class SkipReason(StrEnum):
    """Why a round is skipped without spending a fix.

    Posting nothing: ``kill_switch_off``; ``automation_off`` (gone, disabled or no longer selecting this trigger);
    ``slot_held`` (another round has the pull request); ``pull_closed``; ``pull_from_fork`` (a deleted head repository
    is a fork); ``head_moved`` (another branch than the recorded one);
    ``trigger_gone``; ``trigger_changed`` (it no longer
    asks for changes and carries no command); ``requester_mismatch`` (another account than the one that was decided on);
    ``requester_not_trusted`` (no active member, or no write permission on the host); ``editor_not_trusted`` (somebody
    who is not trusted changed the trigger's text last); ``origin_mismatch``;
    ``nothing_trusted`` (no thread holds a trusted text that survives the screen); ``agent_runs_off`` (an agent run
    opened the pull request, and agent runs are switched off); ``run_missing`` (an agent run opened it, and its task is
    not on record); ``run_scope`` (that run's agent is a team's or a person's own); ``setting_unreadable`` (a limit that
    has to be kept is stored as what it cannot be); ``others_without_command`` (a request for changes, on a pull request
    that the platform did not open).
    Visible on the pull request: ``run_still_working``; ``round_limit``; ``work_branch_left``; ``other_pull_request``
    (the platform did not open it, and the automation takes no such pull request);
    ``others_not_allowed`` (the platform did not open it, and the settings allow no round on it); ``budget_spent`` (the
    organisation's month has cost what it may cost); ``agent_run_ceiling`` (an agent run opened the pull request, and
    the organisation's agents have started as often today as they may); ``repository_archived``, ``default_branch``,
    ``protected_branch`` and ``never_push_branch``, as they would refuse the push; ``source_unreadable`` (the files of
    the head are more, or larger, than a round reads, or the host does not tell all of them).
    """

    KILL_SWITCH_OFF = "kill_switch_off"
    AUTOMATION_OFF = "automation_off"
    SLOT_HELD = "slot_held"
    PULL_CLOSED = "pull_closed"
    PULL_FROM_FORK = "pull_from_fork"
    HEAD_MOVED = "head_moved"
    TRIGGER_GONE = "trigger_gone"
    TRIGGER_CHANGED = "trigger_changed"
    REQUESTER_MISMATCH = "requester_mismatch"
    REQUESTER_NOT_TRUSTED = "requester_not_trusted"
    EDITOR_NOT_TRUSTED = "editor_not_trusted"
    ORIGIN_MISMATCH = "origin_mismatch"
    NOTHING_TRUSTED = "nothing_trusted"
    AGENT_RUNS_OFF = "agent_runs_off"
    RUN_MISSING = "run_missing"
    RUN_SCOPE = "run_scope"
    SETTING_UNREADABLE = "setting_unreadable"
    OTHERS_WITHOUT_COMMAND = "others_without_command"
    RUN_STILL_WORKING = "run_still_working"
    ROUND_LIMIT = "round_limit"
    WORK_BRANCH_LEFT = "work_branch_left"
    OTHER_PULL_REQUEST = "other_pull_request"
    OTHERS_NOT_ALLOWED = "others_not_allowed"
    BUDGET_SPENT = "budget_spent"
    AGENT_RUN_CEILING = "agent_run_ceiling"
    REPOSITORY_ARCHIVED = "repository_archived"
    DEFAULT_BRANCH = "default_branch"
    PROTECTED_BRANCH = "protected_branch"
    NEVER_PUSH_BRANCH = "never_push_branch"
    SOURCE_UNREADABLE = "source_unreadable"


VISIBLE = frozenset(
    {
        SkipReason.RUN_STILL_WORKING,
        SkipReason.ROUND_LIMIT,
        SkipReason.WORK_BRANCH_LEFT,
        SkipReason.OTHER_PULL_REQUEST,
        SkipReason.OTHERS_NOT_ALLOWED,
        SkipReason.BUDGET_SPENT,
        SkipReason.AGENT_RUN_CEILING,
        SkipReason.REPOSITORY_ARCHIVED,
        SkipReason.DEFAULT_BRANCH,
        SkipReason.PROTECTED_BRANCH,
        SkipReason.NEVER_PUSH_BRANCH,
        SkipReason.SOURCE_UNREADABLE,
    }
)
"""The skips a reviewer would wonder about; the summary comment tells them in words that name no setting or number."""


@dataclass(frozen=True)
class Requester:
    """Who asked, by the member records: whether the member is active, and the permission the host reports."""

    is_active_member: bool
    permission: Permission


def judge_pull(pull: Pull, recorded_branch: str | None) -> SkipReason | None:
    """Say why the pull request itself stops a round, or nothing.

    ``recorded_branch`` is the branch of the origin record; without a record there is nothing to have moved off.
    """
    if not pull.is_open:
        return SkipReason.PULL_CLOSED
    if pull.head_repository_id != pull.repository_id:
        return SkipReason.PULL_FROM_FORK
    if recorded_branch is not None and pull.head_ref != recorded_branch:
        return SkipReason.HEAD_MOVED
    return None


def judge_trigger(
    text: Text | None, source: TriggerSource, decided: TriggerKind, requester_id: int
) -> SkipReason | None:
    """Say why the triggering text no longer stands, or nothing.

    The text must still be the same kind of trigger, by the account that was decided on: a request for changes whose
    command was edited away is not the command any more.
    """
    if text is None:
        return SkipReason.TRIGGER_GONE
    if text.author is None or text.author.account_id != requester_id or text.author.is_bot:
        return SkipReason.REQUESTER_MISMATCH
    if still_a_trigger(source, text.body, text.review_state) is not decided:
        return SkipReason.TRIGGER_CHANGED
    return None


def may_write(permission: Permission) -> bool:
    """Say whether a host permission lets its holder push."""
    return permission in {Permission.WRITE, Permission.ADMIN}


def judge_requester(requester: Requester) -> SkipReason | None:
    """Require both the member record and the host's permission; either alone is not trust (feedback §2)."""
    if requester.is_active_member and may_write(requester.permission):
        return None
    return SkipReason.REQUESTER_NOT_TRUSTED


def are_trusted_words(author: Author | None, edit: Edit | None, trusted: Callable[[Author], bool]) -> bool:
    """Say whether a text counts: its author is trusted, and so is whoever changed it last (feedback §3).

    Words belong to who wrote them last. ``trusted`` judges one account, and trusts no bot. Nobody is trusted whom the
    host does not name.
    """
    if author is None or not trusted(author):
        return False
    return edit is None or (edit.editor is not None and trusted(edit.editor))


def judge_words(text: Text, trusted: Callable[[Author], bool]) -> SkipReason | None:
    """Stop a round whose trigger, by an author who is trusted, was changed last by somebody who is not."""
    return None if are_trusted_words(text.author, text.edit, trusted) else SkipReason.EDITOR_NOT_TRUSTED


def judge_others(trigger: TriggerKind, *, taken: bool, allowed: bool) -> SkipReason | None:
    """Stop a round on a pull request that the platform did not open (feedback §1, §2).

    Only the command is a trigger there. ``taken`` says whether the automation takes such a pull request, ``allowed``
    whether the repository's settings allow rounds on it now.
    """
    if trigger is not TriggerKind.COMMAND:
        return SkipReason.OTHERS_WITHOUT_COMMAND
    if not taken:
        return SkipReason.OTHER_PULL_REQUEST
    return None if allowed else SkipReason.OTHERS_NOT_ALLOWED


def judge_rounds(pushed_rounds: int, max_rounds: int) -> SkipReason | None:
    """Stop a round that would exceed the limit; only pushed rounds count, each once."""
    return SkipReason.ROUND_LIMIT if pushed_rounds >= max_rounds else None


def judge_follow_up(opened_by: OriginKind | None, *, agent_runs_on: bool) -> SkipReason | None:
    """Stop a round that would follow up an agent run while agent runs are switched off (feedback §6)."""
    return SkipReason.AGENT_RUNS_OFF if opened_by is OriginKind.AGENT_RUN and not agent_runs_on else None


def judge_budget(monthly_usd: int, spent_usd: int) -> SkipReason | None:
    """Stop a round, whoever or whatever asked for it, once the month has cost what it may cost (feedback §6)."""
    return SkipReason.BUDGET_SPENT if spent_usd >= monthly_usd else None


def judge_work_branch(made_by: str | None, decision_id: str) -> SkipReason | None:
    """Continue on a standing work branch that this very decision made; any other is a person's to delete.

    ``made_by`` is the decision whose write record stands for the branch, absent when no record does.
    """
    return None if made_by == decision_id else SkipReason.WORK_BRANCH_LEFT
