"""What a webhook delivery may look like, read strictly and by hand: pydantic is too slow to import on this path.

GitHub documents the payloads in "Webhook events and payloads". Only what decides something is read; the rest of a
payload may be anything.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from autoswe.rules.intake.recognition import NewText
from autoswe.rules.records.triggers import TriggerSource

GUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""How GitHub spells the id of a delivery, as a regular expression."""

_CONNECTION = re.compile(r"[a-z0-9-]{1,64}")
_EVENT = re.compile(r"[a-z_]{1,64}")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_LARGEST_ID = 2**63 - 1

_NEW_TEXT = {
    "pull_request_review": (TriggerSource.REVIEW, "submitted", "review"),
    "pull_request_review_comment": (TriggerSource.INLINE_COMMENT, "created", "comment"),
    "issue_comment": (TriggerSource.DISCUSSION_COMMENT, "created", "comment"),
}

NEW_TEXT_EVENTS = frozenset((event, action) for event, (_, action, _) in _NEW_TEXT.items())
"""The events that are about a new text, each with its action; no other can hold a trigger."""


class MalformedDelivery(ValueError):
    """A delivery that cannot be what it says it is; the message names the place and what should stand there."""


@dataclass(frozen=True)
class Envelope:
    """What the headers say: the event's name and the delivery's GUID, the same again when it is delivered again."""

    event: str
    guid: str


@dataclass(frozen=True)
class NewTextDelivery:
    """A delivery about a review or comment that has just been posted.

    ``repository`` is the full name; ``pull_number`` the number of the pull request, or of the issue when the text is
    not on a pull request. ``installation_id`` is absent when no App's installation was notified.
    """

    installation_id: int | None
    repository: str
    repository_id: int
    pull_number: int
    text: NewText


def is_connection_name(name: str) -> bool:
    """Say whether a connection can be called so: 1 to 64 lower-case letters, digits and hyphens."""
    return _CONNECTION.fullmatch(name) is not None


def read_envelope(headers: Mapping[str, str]) -> Envelope:
    """Read the delivery's headers, whose names are lower case; raises ``MalformedDelivery``."""
    event = headers.get("x-github-event", "")
    if _EVENT.fullmatch(event) is None:
        raise MalformedDelivery("the header X-GitHub-Event must be an event's name")
    guid = headers.get("x-github-delivery", "")
    if re.fullmatch(GUID, guid) is None:
        raise MalformedDelivery("the header X-GitHub-Delivery must be a GUID")
    return Envelope(event, guid)


def read_payload(body: bytes) -> Mapping[str, object]:
    """Parse a body that must be one JSON object in UTF-8; raises ``MalformedDelivery``.

    ``NaN`` and the infinities are refused. Of two members with one name the last counts: there is no second reader that
    could see the first.
    """
    try:
        payload = json.loads(body.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        raise MalformedDelivery("the body is nested too deeply") from None
    except ValueError:
        raise MalformedDelivery("the body is not JSON (the webhook's content type must be application/json)") from None
    if not isinstance(payload, dict):
        raise MalformedDelivery("$ must be an object")
    return payload


def read_new_text(event: str, payload: Mapping[str, object]) -> NewTextDelivery | None:
    """Read a new review or comment out of a payload, or nothing when the event or its action is of no interest.

    A body may be null and so may an author, whose account is then gone. Raises ``MalformedDelivery``.
    """
    known = _NEW_TEXT.get(event)
    if known is None:
        return None
    source, action, subject = known
    root = _Place(payload, "$")
    if root.member("action").text() != action:
        return None
    text = root.member(subject)
    body = text.member("body").unless_null()
    author = text.member("user").unless_null()
    sender = root.member("sender")
    installation = root.optional_member("installation")
    repository = root.member("repository")
    thread = root.member("issue" if source is TriggerSource.DISCUSSION_COMMENT else "pull_request")
    return NewTextDelivery(
        installation_id=installation.member("id").identifier() if installation else None,
        repository=repository.member("full_name").matching(_REPOSITORY, "a repository's full name"),
        repository_id=repository.member("id").identifier(),
        pull_number=thread.member("number").identifier(),
        text=NewText(
            source=source,
            source_id=text.member("id").identifier(),
            body=body.text() if body else "",
            review_state=text.member("state").text() if source is TriggerSource.REVIEW else None,
            author_id=author.member("id").identifier() if author else None,
            sender_id=sender.member("id").identifier(),
            sender_is_bot=sender.member("type").text() != "User",
            on_pull_request=source is not TriggerSource.DISCUSSION_COMMENT
            or thread.optional_member("pull_request") is not None,
        ),
    )


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@dataclass(frozen=True)
class _Place:
    """A value in a payload and the path that leads to it."""

    value: object
    path: str

    def member(self, name: str) -> "_Place":
        if not isinstance(self.value, dict):
            raise MalformedDelivery(f"{self.path} must be an object")
        if name not in self.value:
            raise MalformedDelivery(f"{self.path}.{name} is missing")
        return _Place(self.value[name], f"{self.path}.{name}")

    def optional_member(self, name: str) -> "_Place | None":
        if isinstance(self.value, dict) and name not in self.value:
            return None
        return self.member(name).unless_null()

    def unless_null(self) -> "_Place | None":
        return None if self.value is None else self

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise MalformedDelivery(f"{self.path} must be a string")
        return self.value

    def matching(self, grammar: re.Pattern[str], what: str) -> str:
        text = self.text()
        if grammar.fullmatch(text) is None:
            raise MalformedDelivery(f"{self.path} must be {what}")
        return text

    def identifier(self) -> int:
        if type(self.value) is not int or not 0 < self.value <= _LARGEST_ID:
            raise MalformedDelivery(f"{self.path} must be a positive integer of at most 63 bits")
        return self.value
