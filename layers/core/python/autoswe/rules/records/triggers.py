"""What a trigger is, and whether a text is one as it stands now (feedback §1, §2).

This module is on the webhook's path: it imports the standard library only.
"""

from enum import StrEnum

from autoswe.rules.records.commands import Command, find_command


class TriggerKind(StrEnum):
    """What a person did to start a round."""

    CHANGES_REQUESTED = "changes_requested"
    COMMAND = "command"


class PullRequestScope(StrEnum):
    """Which pull requests an automation acts on: those the platform opened, or others as well."""

    PLATFORM = "platform"
    OTHERS = "others"


class TriggerSource(StrEnum):
    """Where the trigger's text stands on the pull request."""

    REVIEW = "review"
    INLINE_COMMENT = "inline_comment"
    DISCUSSION_COMMENT = "discussion_comment"


def still_a_trigger(source: TriggerSource, body: str, review_state: str | None) -> TriggerKind | None:
    """Say what kind of trigger a text is as it stands now, or nothing (feedback §2).

    It is asked when the delivery arrives and again when the round gathers.
    The host's API spells review states in upper case and webhooks in lower case; both are understood.
    """
    if find_command(body) is Command.FIX:
        return TriggerKind.COMMAND
    if source is TriggerSource.REVIEW and (review_state or "").lower() == "changes_requested":
        return TriggerKind.CHANGES_REQUESTED
    return None
