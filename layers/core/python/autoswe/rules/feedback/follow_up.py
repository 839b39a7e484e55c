"""Whether a round may try to repair the CI that failed on its fix, judged when it gathers again (feedback §1, §4)."""

from enum import StrEnum

from autoswe.rules.feedback.ci_logs import Nothing, Refused
from autoswe.rules.github.facts import Pull


class NoFollowUp(StrEnum):
    """Why a failed CI is reported and not followed up; none of it is told on the pull request.

    ``kill_switch_off``, ``agent_runs_off``, ``budget_spent`` and ``setting_unreadable`` as for a round;
    ``push_not_allowed`` (the repository or the branch would take no push any more);
    ``pull_closed``; ``head_moved`` (the pull request no longer stands at the pushed commit on the branch it was pushed
    to); ``log_refused`` (the screen refused something that CI said: no model sees any of it); ``nothing_said`` (no
    failure says anything of itself that is left after the screen).
    """

    KILL_SWITCH_OFF = "kill_switch_off"
    AGENT_RUNS_OFF = "agent_runs_off"
    BUDGET_SPENT = "budget_spent"
    SETTING_UNREADABLE = "setting_unreadable"
    PUSH_NOT_ALLOWED = "push_not_allowed"
    PULL_CLOSED = "pull_closed"
    HEAD_MOVED = "head_moved"
    LOG_REFUSED = "log_refused"
    NOTHING_SAID = "nothing_said"


def judge_pushed_pull(pull: Pull, commit_sha: str, head_ref: str | None) -> NoFollowUp | None:
    """Require the pull request open, of this repository, and at the commit that the round pushed."""
    if not pull.is_open:
        return NoFollowUp.PULL_CLOSED
    at_the_push = (pull.head_repository_id, pull.head_ref, pull.head_sha) == (pull.repository_id, head_ref, commit_sha)
    return None if at_the_push else NoFollowUp.HEAD_MOVED


def judge_unusable(said: Refused | Nothing) -> NoFollowUp:
    """Say why what CI said cannot be used: one refused text ends the follow-up before any model is asked."""
    return NoFollowUp.LOG_REFUSED if isinstance(said, Refused) else NoFollowUp.NOTHING_SAID
