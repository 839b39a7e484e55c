"""The roles that starting a decision asks for, and sweeping up what was lost on the way to a start."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from autoswe.contracts.records.platform import Decision
from autoswe.ports.intake.claims import PendingIntake
from autoswe.rules.github.facts import Pull
from autoswe.rules.intake.redelivery import Attempt
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import StoredSettings


class Starts(Protocol):
    """The records that starting needs."""

    def settings_of(self, connection: str, repository: str, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a repository."""
        ...

    def on_somewhere(self, switch: Setting[bool]) -> bool:
        """Say whether a switch is on for the platform, or for any organisation or team."""
        ...

    def mark_started(self, decision_id: str) -> None:
        """Take the decision out of the index of those that have not started."""
        ...


class Executions(Protocol):
    """The workflow's executions."""

    def start(self, name: str, execution_input: str) -> bool:
        """Start an execution with this JSON input; false when there has been one of that name, which is over."""
        ...


@dataclass(frozen=True)
class IntakeKey:
    """Where a pending intake is kept."""

    partition_key: str
    sort_key: str

    def __str__(self) -> str:
        return f"{self.partition_key} / {self.sort_key}"


class Unstarted(Protocol):
    """Decisions and intakes that were written down and never acted on."""

    def decisions(self, before: datetime) -> Iterator[str]:
        """List the ids of decisions that were made before a moment, oldest first; one may have started meanwhile."""
        ...

    def decision(self, decision_id: str) -> Decision | None:
        """Read a decision; ``None`` when it has started after all."""
        ...

    def intakes(self, before: datetime) -> Iterator[IntakeKey]:
        """List intakes that were offered before a moment, oldest first; one may have been resolved meanwhile."""
        ...

    def intake(self, place: IntakeKey) -> PendingIntake | None:
        """Read an intake; ``None`` when it was resolved after all."""
        ...


class Deliveries(Protocol):
    """The deliveries that were taken."""

    def recorded(self, connection: str, guids: Collection[str]) -> frozenset[str]:
        """Pick those that left a record: a decision was made on them, or they were suppressed."""
        ...


class HookHost(Protocol):
    """What sweep_deliveries asks the host about one App's webhook, as the App itself."""

    def pages(self) -> Iterator[tuple[Attempt, ...]]:
        """Read every attempt that the host lists, newest first, a page at a time."""
        ...

    def ask_again(self, attempt_id: int) -> None:
        """Ask for one more attempt of the delivery that this one belonged to."""
        ...


class HeadHost(Protocol):
    """What is asked of the host before a trigger on somebody else's pull request is decided on, with a read token."""

    def pull(self, number: int) -> Pull:
        """Read a pull request; raises ``Gone`` when it is not there."""
        ...
