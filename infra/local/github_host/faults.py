"""Making the host fail, at one place that every API call passes.

A fault is a function of the call and of ``proceed``, which carries the call out and returns the answer. Whether it
proceeds, and what it makes of the answer, is the whole of it.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from infra.local.github_host.calls import Call
from infra.local.github_host.graphql.errors import only_errors, undefined_field
from infra.local.github_host.replies import Reply

Proceed = Callable[[], Reply]
Fault = Callable[[Call, Proceed], Reply]


class ConnectionCut(Exception):
    """The caller's connection ends without an answer."""


class Silence(Exception):
    """The caller gets no answer for as long as it waits."""


def answer(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Fault:
    """Answer this and do nothing."""
    return lambda _call, _proceed: Reply(status, body, dict(headers or {}))


def refuse(status: int, message: str, headers: Mapping[str, str] | None = None) -> Fault:
    """Answer with an error as REST writes it and do nothing."""
    return answer(status, {"message": message, "status": str(status)}, headers)


def lack_field(type_name: str, field_name: str) -> Fault:
    """Answer as a host whose GraphQL schema has no such field, for example ``Mutation`` without ``updateRefs``."""
    return answer(200, only_errors([undefined_field(type_name, field_name)]))


def lose_reply(status: int | None = None) -> Fault:
    """Do what was asked, then cut the connection, or answer like a gateway that gave up, with ``status``."""

    def fault(_call: Call, proceed: Proceed) -> Reply:
        proceed()
        if status is None:
            raise ConnectionCut
        return Reply(status, {"message": "We couldn't respond to your request in time."})

    return fault


def time_out(*, after_effect: bool = False) -> Fault:
    """Keep the caller waiting until it gives up; with or without doing what was asked."""

    def fault(_call: Call, proceed: Proceed) -> Reply:
        if after_effect:
            proceed()
        raise Silence

    return fault


def throttle(retry_after_seconds: int, *, status: int = 403) -> Fault:
    """Refuse as the secondary rate limit does ("Rate limits for the REST API")."""
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    return refuse(status, message, {"Retry-After": str(retry_after_seconds)})


def exhaust(resets_at: datetime) -> Fault:
    """Refuse as the primary rate limit does: nothing remains until ``resets_at``."""
    reset = str(int(resets_at.timestamp()))
    return refuse(403, "API rate limit exceeded", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset})


def alter(change: Callable[[Any], Any]) -> Fault:
    """Do what was asked and answer with what ``change`` makes of the JSON body: a partial or a strange answer."""

    def fault(_call: Call, proceed: Proceed) -> Reply:
        reply = proceed()
        return Reply(reply.status, change(reply.body), reply.headers)

    return fault


@dataclass
class _Planned:
    operation: str
    fault: Fault
    skip: int
    times: int

    def takes(self, call: Call) -> bool:
        if self.times == 0 or not fnmatchcase(call.operation, self.operation):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Faults:
    """The faults that are planned, and what was answered before, for answers that come too late."""

    def __init__(self) -> None:
        self._planned: list[_Planned] = []
        self._answers: defaultdict[tuple[str, bytes], list[Reply]] = defaultdict(list)
        self._lock = threading.Lock()

    def add(self, operation: str, fault: Fault, *, skip: int = 0, times: int = 1) -> None:
        """Let calls of an operation fail: after ``skip`` good ones, the next ``times`` (-1: all).

        ``operation`` is written as calls are recorded, or is a shell pattern of that; the first plan that fits counts.
        """
        with self._lock:
            self._planned.append(_Planned(operation, fault, skip, times))

    def clear(self) -> None:
        """Plan nothing any more."""
        with self._lock:
            self._planned.clear()

    def around(self, call: Call, proceed: Proceed) -> Reply:
        """Carry out a call the way that is planned for it."""
        with self._lock:
            planned = next((one for one in self._planned if one.takes(call)), None)

        def remembered() -> Reply:
            reply = proceed()
            if call.question is not None:
                with self._lock:
                    answers = self._answers[call.question]
                    if not answers or answers[-1].body != reply.body:
                        answers[:] = [*answers[-1:], reply]
            return reply

        return remembered() if planned is None else planned.fault(call, remembered)

    def stale(self, call: Call, proceed: Proceed) -> Reply:
        """Answer the same question as before its last change; a fault to plan."""
        reply = proceed()
        with self._lock:
            answers = [] if call.question is None else self._answers[call.question]
            earlier = [one for one in answers if one.body != reply.body]
        return earlier[-1] if earlier else reply
