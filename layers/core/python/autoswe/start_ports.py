"""The roles that starting a decision asks for, and sweeping up what was lost on the way to a start."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from autoswe.contracts.rows import Connection, Decision, FireOutcome
from autoswe.intake_ports import PendingIntake
from autoswe.rules.feedback.redelivery import Attempt
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import StoredSettings


class Hold(StrEnum):
    """Whether a decision may start now.

    ``held``: the pull request's slot is the decision's, for half an hour from now. ``gathered``: an execution has
    claimed the decision's round before. ``taken``: another decision has the slot; nothing was written.
    """

    HELD = "held"
    GATHERED = "gathered"
    TAKEN = "taken"


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


class Slots(Protocol):
    """The slots of pull requests, as far as a start is concerned."""

    def hold(self, decision: Decision) -> Hold:
        """Keep the slot for a decision whose round nobody has claimed: it is free, its lease is over, or its own."""
        ...

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        """End the decision's round and free its slot; false when another execution has claimed the round."""
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


class Connections(Protocol):
    """The Apps that the platform works for."""

    def connection(self, name: str) -> Connection | None:
        """Read a connection."""
        ...

    def connections(self) -> tuple[Connection, ...]:
        """Read every connection, by name."""
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
