"""What the platform keeps of an automation, as rules judge it (feedback §1, §6)."""

from dataclasses import dataclass

from autoswe.rules.records.triggers import PullRequestScope, TriggerKind


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

    def selects(self, trigger: TriggerKind, repository: str) -> bool:
        """Say whether the automation acts on such a trigger in this repository at all."""
        return self.enabled and (not self.repositories or repository in self.repositories) and trigger in self.triggers

    def takes(self, trigger: TriggerKind, repository: str, scope: PullRequestScope) -> bool:
        """Say whether the automation acts on such a trigger in this repository on such a pull request.

        On one of others the command alone is acted on: a review by the way costs nothing there.
        """
        return (
            self.selects(trigger, repository)
            and scope in self.pull_requests
            and (scope is PullRequestScope.PLATFORM or trigger is TriggerKind.COMMAND)
        )
