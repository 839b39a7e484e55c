"""A trigger that is offered for a decision; on the webhook's path: it imports the standard library only."""

from dataclasses import dataclass

from autoswe.rules.records.triggers import TriggerKind, TriggerSource


@dataclass(frozen=True)
class Offer:
    """A trigger that is offered for a decision, with everything needed to decide on it now or later.

    ``subject`` is what is decided once, ``trigger_id`` the numeric id of the review or comment, ``delivery`` the GUID.
    """

    connection: str
    repository: str
    repository_id: int
    pull_number: int
    subject: str
    trigger: TriggerKind
    source: TriggerSource
    trigger_id: int
    sender_id: int
    delivery: str
    automation_id: str
