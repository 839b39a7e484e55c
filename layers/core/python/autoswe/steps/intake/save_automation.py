"""Saves an automation, if what it selects is something that it may act on (feedback §6)."""

from collections.abc import Iterator
from typing import Any, Protocol

from autoswe.contracts.records.platform import Automation, RepositoryRecord
from autoswe.rules.intake.automation import Permit, Refused, judge_automation
from autoswe.rules.settings.registry import OTHER_PULL_REQUESTS, Setting
from autoswe.rules.settings.resolution import PLATFORM, Place, StoredSettings


class Records(Protocol):
    """The records that saving an automation reads and writes."""

    def repository(self, connection: str, repository: str) -> RepositoryRecord | None:
        """Read what the platform knows of a repository."""
        ...

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a place."""
        ...

    def save_automation(self, connection: str, automation: Automation) -> None:
        """Save an automation, in place of what was there."""
        ...


def save_automation(connection: str, automation: Automation, records: Records) -> Refused | None:
    """Save an automation of a connection, or say what has to be changed first; a refused one changes nothing."""
    permits = tuple(_permits(connection, automation, records))
    refused = judge_automation(automation.triggers, automation.pull_requests, permits)
    if refused is None:
        records.save_automation(connection, automation)
    return refused


def _permits(connection: str, automation: Automation, records: Records) -> Iterator[Permit]:
    """Read what is allowed for each repository; an automation for all of them needs the platform's own leave."""
    if not automation.repositories:
        yield _permit("the platform", PLATFORM, records)
    for name in automation.repositories:
        known = records.repository(connection, name)
        place = known.place if known else PLATFORM
        yield _permit(f"{name} ({place})", place, records)


def _permit(whom: str, place: Place, records: Records) -> Permit:
    return Permit(whom, records.settings(place, OTHER_PULL_REQUESTS).resolve(OTHER_PULL_REQUESTS))
