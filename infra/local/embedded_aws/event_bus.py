"""EventBridge: a bus of our own, whose one rule hands the events that fit its pattern to a function."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Any
from uuid import uuid4

from moto.events.models import EventPattern
from moto.events.responses import EventsHandler
from moto.sts.models import sts_backends

from infra.local.embedded_aws.account import ACCOUNT_ID, REGION, arn
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.functions.functions import FunctionError, Functions
from infra.local.embedded_aws.patches import Patches

MAX_ATTEMPTS = 3
MAX_REQUEST_BYTES = 256 * 1024
MAX_ENTRIES = 10

Event = dict[str, Any]


@dataclass(frozen=True)
class BusDefinition:
    """A bus: its name, its rule's pattern and the function that the rule calls.

    ``reporters`` are the accounts, by number, and the roles, by ARN, that may put events on it, and nobody else.
    """

    name: str
    pattern: Mapping[str, Any]
    target: str
    reporters: tuple[str, ...]


@dataclass(frozen=True)
class Caller:
    """Who makes a request: the account and the ARN, of the role where one is assumed (AWS: "aws:PrincipalArn")."""

    account: str
    arn: str

    @classmethod
    def of(cls, access_key: str) -> "Caller":
        """Find whose a key is: a session's, of whatever account, else the embedded account's own."""
        for account, by_partition in sts_backends.items():
            session = by_partition["aws"].get_assumed_role_from_access_key(access_key)
            if session is not None:
                return cls(account, session.role_arn)
        return cls(ACCOUNT_ID, f"arn:aws:iam::{ACCOUNT_ID}:root")


class EventBus:
    """The bus; events that it took are delivered one after another, in a thread of their own.

    A function that fails is asked again, ``MAX_ATTEMPTS`` times in all, after which the event is in ``undelivered``
    (AWS Lambda: "Retain records of asynchronous invocations"). The pauses in between take no time here.
    """

    def __init__(self, definition: BusDefinition, functions: Functions, now: Callable[[], datetime]) -> None:
        self.arn = arn("events", f"event-bus/{definition.name}")
        self.undelivered: list[Event] = []
        self._definition = definition
        self._pattern = EventPattern(None, dict(definition.pattern))
        self._functions = functions
        self._now = now
        self._taken: SimpleQueue[Event | None] = SimpleQueue()
        self._waiting = 0
        self._changed = Condition()
        self._thread = Thread(target=self._deliver_all, daemon=True, name=f"event bus {definition.name}")

    def install(self, patches: Patches) -> None:
        """Answer ``PutEvents`` for this bus, and begin to deliver."""

        def put_events(handler: Any) -> str:
            entries = handler._get_param("Entries")  # noqa: SLF001 - how moto's own put_events reads them
            if not all(entry.get("EventBusName") in {self.arn, self._definition.name} for entry in entries):
                return str(original(handler))
            answers = self._take(Caller.of(handler.access_key), entries)
            failed = sum("ErrorCode" in answer for answer in answers)
            return json.dumps({"FailedEntryCount": failed, "Entries": answers})

        original = patches.method(EventsHandler, "put_events", put_events)
        self._thread.start()

    def settle(self) -> bool:
        """Wait until what was taken is delivered or given up; tell whether there was anything to wait for."""
        with self._changed:
            waited = self._waiting > 0
            self._changed.wait_for(lambda: self._waiting == 0)
        return waited

    def stop(self) -> None:
        """End the thread once it has delivered what was taken."""
        if self._thread.is_alive():
            self._taken.put(None)
            self._thread.join()

    def _take(self, caller: Caller, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
        """Take the entries of one request, or refuse it (Amazon EventBridge: "PutEvents").

        A policy that names nobody else refuses whoever has rights to the bus in an account of its own as well.
        """
        if not {caller.account, caller.arn} & set(self._definition.reporters):
            message = f"User: {caller.arn} is not authorized to perform: events:PutEvents on resource: {self.arn}"
            raise ServiceFault("AccessDeniedException", message)
        if len(entries) > MAX_ENTRIES or sum(map(_size, entries)) > MAX_REQUEST_BYTES:
            raise ServiceFault("ValidationException", "Total size of the entries in the request is over the limit.")
        return [self._take_entry(caller, entry) for entry in entries]

    def _take_entry(self, caller: Caller, entry: Mapping[str, Any]) -> dict[str, str]:
        try:
            detail = json.loads(entry["Detail"])
        except ValueError:
            detail = None
        if not isinstance(detail, dict):
            return {"ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed."}
        event = {
            "version": "0",
            "id": str(uuid4()),
            "detail-type": entry["DetailType"],
            "source": entry["Source"],
            "account": caller.account,
            "time": self._now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "region": REGION,
            "resources": list(entry.get("Resources", ())),
            "detail": detail,
        }
        if self._pattern.matches_event(event):
            with self._changed:
                self._waiting += 1
            self._taken.put(event)
        return {"EventId": event["id"]}

    def _deliver_all(self) -> None:
        while (event := self._taken.get()) is not None:
            if not self._delivered(event):
                self.undelivered.append(event)
            with self._changed:
                self._waiting -= 1
                self._changed.notify_all()

    def _delivered(self, event: Event) -> bool:
        for _ in range(MAX_ATTEMPTS):
            try:
                self._functions.invoke(self._definition.target, event)
            except (FunctionError, ServiceFault, ConnectionError):
                continue
            return True
        return False


def _size(entry: Mapping[str, Any]) -> int:
    """Count an entry's bytes (Amazon EventBridge: "Calculating PutEvents event entry size")."""
    texts = (entry["Source"], entry["DetailType"], entry["Detail"], *entry.get("Resources", ()))
    return sum(len(text.encode()) for text in texts) + (14 if "Time" in entry else 0)
