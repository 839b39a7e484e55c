"""Whether a recognised trigger becomes a decision, judged from the platform's own records (feedback §1, §2, §6).

The checks that need the host are made when the round gathers. This module is on the webhook's path: it imports the
standard library only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind


class IntakeOutcome(StrEnum):
    """What became of a delivery.

    ``decided``: its round will start. ``suppressed``: another round holds the pull request; recorded, to be offered
    again. ``postponed``: written down, to be decided on once its pull request was looked for on the host.
    ``duplicate``: it was decided on or recorded before. ``ignored``: nothing of ours. ``refused``: no delivery at all.
    """

    DECIDED = "decided"
    POSTPONED = "postponed"
    SUPPRESSED = "suppressed"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"
    REFUSED = "refused"


class IntakeRefusal(StrEnum):
    """Why a recognised trigger is not acted on.

    ``no_installation``: the delivery does not come from an App's installation. ``kill_switch_off``: feedback rounds are
    switched off. ``no_automation``: no enabled automation of the connection takes this trigger on this repository.
    ``not_a_member``: the sender's numeric account id is not that of an active member of the repository.
    ``others_without_command``: a request for changes on a pull request that the platform did not open.
    ``pull_gone``: the host knows no such pull request, or none any more. ``another_repository``: the name is on record
    for a repository of another number, which has moved away from it.
    """

    NO_INSTALLATION = "no_installation"
    KILL_SWITCH_OFF = "kill_switch_off"
    NO_AUTOMATION = "no_automation"
    NOT_A_MEMBER = "not_a_member"
    OTHERS_WITHOUT_COMMAND = "others_without_command"
    PULL_GONE = "pull_gone"
    ANOTHER_REPOSITORY = "another_repository"


@dataclass(frozen=True)
class AdmissionContext:
    """What the records say before any automation is looked at.

    ``switched_on`` is the kill switch, ``active_member`` the sender's membership. ``opened_by_platform`` says whether a
    run of ours is on record as the opener of the pull request, ``others_allowed`` whether the repository's settings
    allow rounds on the others. ``repository`` is the name that the repository is recorded by, which the host may have
    changed since; ``is_another_repository`` says that the records of that name are another repository's.
    """

    switched_on: bool
    active_member: bool
    opened_by_platform: bool = False
    others_allowed: bool = False
    is_another_repository: bool = False
    repository: str = field(kw_only=True)


@dataclass(frozen=True)
class Admitted:
    """The trigger becomes a decision of this automation.

    ``if_on_host`` says that the pull request has to be there first: it is one of others, of which nothing is on record.
    """

    automation_id: str
    if_on_host: bool = False


def admit(
    trigger: TriggerKind, context: AdmissionContext, automations: Iterable[AutomationFilter]
) -> Admitted | IntakeRefusal:
    """Decide whether a trigger is acted on, and by which automation; of several, the first by id takes it.

    A pull request without a record is one of others. Where these are allowed, an automation that takes them comes
    before one that does not. Where none may act on it, the round that follows tells a member who wrote a command so
    (feedback §2). A request for changes there is no trigger: whoever reviews a colleague's work has not asked us.
    """
    if context.is_another_repository:
        return IntakeRefusal.ANOTHER_REPOSITORY
    if not context.switched_on:
        return IntakeRefusal.KILL_SWITCH_OFF
    known = tuple(automations)

    def taking(*scopes: PullRequestScope) -> list[str]:
        return [
            one.automation_id for one in known if any(one.takes(trigger, context.repository, scope) for scope in scopes)
        ]

    others = [] if context.opened_by_platform or not context.others_allowed else taking(PullRequestScope.OTHERS)
    chosen = others or taking(*([PullRequestScope.PLATFORM] if context.opened_by_platform else PullRequestScope))
    if not chosen:
        return IntakeRefusal.NO_AUTOMATION
    if not context.active_member:
        return IntakeRefusal.NOT_A_MEMBER
    if not context.opened_by_platform and trigger is not TriggerKind.COMMAND:
        return IntakeRefusal.OTHERS_WITHOUT_COMMAND
    return Admitted(min(chosen), if_on_host=bool(others))
