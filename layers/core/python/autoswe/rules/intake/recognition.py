"""Which deliveries may start a feedback round, read from facts about the delivery alone (feedback §1).

This module is on the webhook's path: it imports the standard library only.
"""

from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.records.triggers import TriggerKind, TriggerSource, still_a_trigger


class IgnoreReason(StrEnum):
    """Why a delivery starts nothing.

    ``uninteresting``: no event of ours, or an action that is not a new text. ``not_a_pull_request``: a comment on an
    issue. ``bot_sender``: a bot's words are never a command. ``no_trigger``: neither a request for changes nor a
    command. ``author_is_not_sender``: somebody else's text arrived under the sender's name.
    """

    UNINTERESTING = "uninteresting"
    NOT_A_PULL_REQUEST = "not_a_pull_request"
    BOT_SENDER = "bot_sender"
    NO_TRIGGER = "no_trigger"
    AUTHOR_IS_NOT_SENDER = "author_is_not_sender"


@dataclass(frozen=True)
class NewText:
    """A review or comment that has just been posted, as a delivery describes it.

    ``source_id`` is its numeric id, ``review_state`` the lower-case state of a review, ``author_id`` is absent for a
    deleted account.
    """

    source: TriggerSource
    source_id: int
    body: str
    review_state: str | None
    author_id: int | None
    sender_id: int
    sender_is_bot: bool
    on_pull_request: bool


@dataclass(frozen=True)
class Trigger:
    """A reason to start a round: what was done, and the text that did it."""

    kind: TriggerKind
    source: TriggerSource
    source_id: int

    def subject(self, pull_number: int) -> str:
        """Name what is decided once, ever: this text on this pull request."""
        return f"pr-{pull_number}@{self.source}-{self.source_id}"


def recognise(text: NewText) -> Trigger | IgnoreReason:
    """Decide whether a new text is a trigger; a command outranks the request for changes it may come with.

    Only the ``changes_requested`` state, in the webhook's lower case, is a request for changes: any other state, known
    or not, needs a command.
    """
    if not text.on_pull_request:
        return IgnoreReason.NOT_A_PULL_REQUEST
    if text.sender_is_bot:
        return IgnoreReason.BOT_SENDER
    if text.author_id != text.sender_id:
        return IgnoreReason.AUTHOR_IS_NOT_SENDER
    kind = still_a_trigger(text.source, text.body, text.review_state)
    return IgnoreReason.NO_TRIGGER if kind is None else Trigger(kind, text.source, text.source_id)
