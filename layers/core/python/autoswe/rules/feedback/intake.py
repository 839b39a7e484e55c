"""Whether a recognised trigger becomes a decision, judged from the platform's own records (feedback §1, §2, §6).

The checks that need the host are made when the round gathers. This module is on the webhook's path: it imports the
standard library only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.feedback.triggers import PullRequestScope, TriggerKind


class IntakeOutcome(StrEnum):
    """What became of a delivery.

    ``decided``: its round will start. ``suppressed``: another round holds the pull request; recorded, to be offered
    again. ``duplicate``: it was decided on or recorded before. ``ignored``: nothing of ours. ``refused``: no delivery
    at all.
    """

    DECIDED = "decided"
    SUPPRESSED = "suppressed"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"
    REFUSED = "refused"


class IntakeRefusal(StrEnum):
    """Why a recognised trigger is not acted on.

    ``no_installation``: the delivery does not come from an App's installation. ``kill_switch_off``: feedback rounds are
    switched off. ``no_automation``: no enabled automation of the connection takes this trigger on this repository.
    ``not_a_member``: the sender's numeric account id is not that of an active member of the repository.
    """

    NO_INSTALLATION = "no_installation"
    KILL_SWITCH_OFF = "kill_switch_off"
    NO_AUTOMATION = "no_automation"
    NOT_A_MEMBER = "not_a_member"


@dataclass(frozen=True)
class Standing:
    """What the records say before any automation is looked at: the kill switch, and the sender's membership."""

    switched_on: bool
    active_member: bool


@dataclass(frozen=True)
class AutomationFilter:
    """What one automation selects (feedback §1).

    ``repositories`` are full names, empty meaning all. ``triggers`` and ``pull_requests`` are kept as they were saved:
    a value that is not known here selects nothing.
    """

    automation_id: str
    enabled: bool
    repositories: tuple[str, ...] = ()
    triggers: tuple[str, ...] = (TriggerKind.CHANGES_REQUESTED, TriggerKind.COMMAND)
    pull_requests: tuple[str, ...] = (PullRequestScope.PLATFORM,)

    def takes(self, trigger: TriggerKind, repository: str) -> bool:
        """Say whether the automation acts on such a trigger in this repository.

        Only pull requests that the platform opened are acted on: an automation for others alone would need the head
        read first, so it selects nothing.
        """
        return (
            self.enabled
            and (not self.repositories or repository in self.repositories)
            and trigger in self.triggers
            and PullRequestScope.PLATFORM in self.pull_requests
        )


@dataclass(frozen=True)
class Admitted:
    """The trigger becomes a decision of this automation."""

    automation_id: str


def admit(
    trigger: TriggerKind, repository: str, standing: Standing, automations: Iterable[AutomationFilter]
) -> Admitted | IntakeRefusal:
    """Decide whether a trigger is acted on, and by which automation; of several, the first by id takes it."""
    if not standing.switched_on:
        return IntakeRefusal.KILL_SWITCH_OFF
    taking = [automation.automation_id for automation in automations if automation.takes(trigger, repository)]
    if not taking:
        return IntakeRefusal.NO_AUTOMATION
    if not standing.active_member:
        return IntakeRefusal.NOT_A_MEMBER
    return Admitted(min(taking))
