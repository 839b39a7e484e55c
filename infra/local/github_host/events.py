"""What happened, before anybody has written it down as a webhook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from infra.local.github_host.people.accounts import Account

if TYPE_CHECKING:
    from infra.local.github_host.repository import Repository


@dataclass(frozen=True)
class Happening:
    """One event: GitHub's names for event and action, what it is about, where, and who did it.

    ``extra`` holds what only some payloads have, such as ``changes`` of an edit; ``deliver`` False builds and records
    the deliveries but leaves the sending to whoever asked.
    """

    event: str
    action: str | None
    subject: Any
    sender: Account
    repository: Repository | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    deliver: bool = True
