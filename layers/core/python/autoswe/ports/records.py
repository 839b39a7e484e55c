"""The role that keeps the platform's own records."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol, TypeVar

from autoswe.contracts.records.platform import Automation, Connection, Decision, Member, Origin, RepositoryRecord
from autoswe.rules.records.runs import Run
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import Place, StoredSettings

R = TypeVar("R")


class Records(Protocol):
    """The platform's own records; each read is consistent, and what is not there is ``None``."""

    def of_round(
        self, decision_id: str, connection: str, repository: str
    ) -> tuple[Decision | None, Connection | None, RepositoryRecord | None]:
        """Read a recorded decision, a connection and what is known of a repository, all at one moment."""
        ...

    def member(self, connection: str, repository: str, account_id: int) -> Member | None:
        """Read the member linked to a numeric GitHub account."""
        ...

    def automation(self, connection: str, automation_id: str) -> Automation | None:
        """Read an automation."""
        ...

    def origin(self, connection: str, repository: str, pull_number: int) -> Origin | None:
        """Read who opened a pull request, by our records."""
        ...

    def run_of(self, connection: str, repository: str, pull_number: int) -> Run | None:
        """Read the run that is on record as what opened a pull request."""
        ...

    def start_follow_up(
        self, decision_id: str, organization: str | None, at: datetime, judge: Callable[[int], R | None]
    ) -> R | None:
        """Count a decision's round as a start of an agent, once a day, unless ``judge`` has a reason against it.

        ``judge`` is given how often the organisation's agents have started on that day.
        """
        ...

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a place, all at one moment."""
        ...

    def spent_usd(self, organization: str | None, month: str) -> int:
        """Read what an organisation's month (``2026-11``) has cost so far, as it was recorded."""
        ...


class Connections(Protocol):
    """The Apps that the platform works for."""

    def connection(self, name: str) -> Connection | None:
        """Read a connection."""
        ...

    def connections(self) -> tuple[Connection, ...]:
        """Read every connection, by name."""
        ...
