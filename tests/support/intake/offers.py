"""Builds the offers that triggers make."""

from autoswe.contracts.records.offers import Offer
from autoswe.rules.records.triggers import TriggerKind, TriggerSource
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER


def guid(number: int) -> str:
    """Make the delivery id of a number."""
    return f"00000000-0000-4000-8000-{number:012x}"


def offer(comment: int = 501, *, delivery: int = 1, pull: int = 7) -> Offer:
    """Build the offer of a command in a discussion comment."""
    return Offer(
        connection=CONNECTION,
        repository=REPOSITORY,
        repository_id=9001,
        pull_number=pull,
        subject=f"pr-{pull}@discussion_comment-{comment}",
        trigger=TriggerKind.COMMAND,
        source=TriggerSource.DISCUSSION_COMMENT,
        trigger_id=comment,
        sender_id=REVIEWER,
        delivery=guid(delivery),
        automation_id="fix-feedback",
    )
