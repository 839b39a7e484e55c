"""Events, before anybody has written them down as webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.local.github_host.people.accounts import Account


@dataclass(frozen=True)
class Event:
    """What happened: GitHub's names for the event and its action, what it is about, where, and who did it.

    ``repository`` is None outside of any; its type, like the subject's, belongs to rooms above this one, where whoever
    hears of events knows it. ``extra`` holds what only some payloads have, such as ``changes`` of an edit; ``deliver``
    False builds and records the deliveries but leaves the sending to whoever asked.
    """

    name: str
    action: str | None
    subject: Any
    sender: Account
    repository: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    deliver: bool = True
