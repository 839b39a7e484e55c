"""Whether an automation may be saved: what it selects must be something that it may act on (feedback §1, §6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.records.triggers import PullRequestScope, TriggerKind
from autoswe.rules.settings.registry import OTHER_PULL_REQUESTS
from autoswe.rules.settings.resolution import Resolved, Unreadable


class AutomationRefusal(StrEnum):
    """Why an automation is not saved.

    ``selects_nothing``: it takes no trigger, or no pull requests. ``others_without_command``: it takes pull requests of
    others, on which a command alone acts, and takes no command. ``others_not_allowed``: it takes pull requests of
    others, and the setting that allows it is off, or unreadable, for a repository that it is for.
    """

    SELECTS_NOTHING = "selects_nothing"
    OTHERS_WITHOUT_COMMAND = "others_without_command"
    OTHERS_NOT_ALLOWED = "others_not_allowed"


@dataclass(frozen=True)
class Refused:
    """An automation that is not saved; ``sentence`` says what to change."""

    reason: AutomationRefusal
    sentence: str


@dataclass(frozen=True)
class Permit:
    """What ``github.prFeedbackOtherPullRequestsEnabled`` says, and for whom: a repository, or all of them."""

    whom: str
    others: Resolved[bool] | Unreadable


def judge_automation(
    triggers: Sequence[TriggerKind], pull_requests: Sequence[PullRequestScope], permits: Sequence[Permit]
) -> Refused | None:
    """Judge what an automation selects; ``permits`` holds one for each repository that it is for, or one for all."""
    if not triggers or not pull_requests:
        missing = "trigger" if not triggers else "kind of pull request"
        return Refused(
            AutomationRefusal.SELECTS_NOTHING, f"the automation selects nothing: name at least one {missing}"
        )
    if PullRequestScope.OTHERS not in pull_requests:
        return None
    if TriggerKind.COMMAND not in triggers:
        return Refused(
            AutomationRefusal.OTHERS_WITHOUT_COMMAND,
            "on pull requests that the platform did not open a command alone acts: "
            "add the trigger command, or leave others out of pull_requests",
        )
    for permit in permits:
        if isinstance(permit.others, Unreadable):
            return Refused(
                AutomationRefusal.OTHERS_NOT_ALLOWED,
                f"whether {permit.whom} allows others cannot be read: {permit.others.sentence}; set it anew",
            )
        if not permit.others.value:
            return Refused(
                AutomationRefusal.OTHERS_NOT_ALLOWED,
                f"{OTHER_PULL_REQUESTS.name} is off for {permit.whom}: "
                "set it to on there, or leave others out of pull_requests",
            )
    return None
