"""Making the host fail, at one place that every API call passes.

A fault is a function of the call and of ``proceed``, which carries the call out and returns the answer. Whether it
proceeds, and what it makes of the answer, is the whole of it.
"""

from __future__ import annotations

import copy
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from infra.local.github_host.answers.errors import ApiError
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.graphql.errors import only_errors, undefined_field
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.outages import ConnectionCut, Outages
from infra.local.github_host.http.refusals import SECONDARY_LIMIT, refusal, took_too_long

Proceed = Callable[[], Reply]
Fault = Callable[[Call, Proceed], Reply]
_TOO_QUICKLY = "was submitted too quickly"


class Silence(Exception):
    """The caller gets no answer for as long as it waits."""


class TookTooLong(Exception):
    """GitHub ended the request after ten seconds, and answers with ``status``, 502 or 504."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def answer(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Fault:
    """Answer this and do nothing."""
    return lambda _call, _proceed: Reply(status, body, dict(headers or {}))


def refuse(status: int, message: str, headers: Mapping[str, str] | None = None) -> Fault:
    """Answer with an error as REST writes it and do nothing."""
    refused = refusal(ApiError(status, message, headers=headers), "rest")
    return lambda _call, _proceed: refused


def lack_field(type_name: str, field_name: str) -> Fault:
    """Answer as a host whose GraphQL schema has no such field, for example ``Mutation`` without ``updateRefs``."""
    return answer(200, only_errors([undefined_field(type_name, field_name)]))


def lose_reply(status: int | None = None) -> Fault:
    """Do what was asked, then cut the connection, or answer like a gateway that gave up, with ``status``."""

    def fault(call: Call, proceed: Proceed) -> Reply:
        proceed()
        if status is None:
            raise ConnectionCut
        return took_too_long(status, over_graphql=call.over_graphql)

    return fault


def time_out(*, after_effect: bool = False) -> Fault:
    """Keep the caller waiting until it gives up; with or without doing what was asked."""

    def fault(_call: Call, proceed: Proceed) -> Reply:
        if after_effect:
            proceed()
        raise Silence

    return fault


def overrun(*, after_effect: bool = False, status: int = 502) -> Fault:
    """Take more than ten seconds, with or without doing what was asked, which costs the caller points beyond its own.

    Source: "Rate limits for the REST API", timeouts.
    """

    def fault(_call: Call, proceed: Proceed) -> Reply:
        if after_effect:
            proceed()
        raise TookTooLong(status)

    return fault


def throttle(retry_after_seconds: int | None, *, status: int = 403) -> Fault:
    """Refuse as a secondary rate limit does: with 403 or 429, over GraphQL also with 200 and an error.

    GitHub does not always say how long to wait. Source: "Rate limits for the REST API".
    """
    headers = {} if retry_after_seconds is None else {"Retry-After": str(retry_after_seconds)}
    return _limited(status, SECONDARY_LIMIT, headers)


def exhaust(resets_at: datetime, *, status: int = 403) -> Fault:
    """Refuse as the primary rate limit does: nothing remains until ``resets_at``.

    With 403 or 429, over GraphQL with 200 and an error. Source: "Rate limits for the REST API".
    """
    reset = str(int(resets_at.timestamp()))
    return _limited(status, "API rate limit exceeded", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset})


def spam() -> Fault:
    """Refuse what was written as the spam filter does, which is a secondary limit in the form of a refused text.

    Source: the documented answer 422 of what creates content, "Validation failed, or the endpoint has been spammed".
    The words "was submitted too quickly" are observed over REST and GraphQL; neither form says how long to wait.
    """

    def fault(call: Call, _proceed: Proceed) -> Reply:
        if call.over_graphql:
            return Reply(200, only_errors([{"type": "UNPROCESSABLE", "message": _TOO_QUICKLY}]))
        if call.operation.endswith("/reviews"):
            return refusal(ApiError(422, "Unprocessable Entity", errors=[_TOO_QUICKLY]), "rest")
        resource = "IssueComment" if "/issues/" in call.operation else "PullRequestReviewComment"
        problem = {"resource": resource, "code": "unprocessable", "field": "data", "message": _TOO_QUICKLY}
        return refusal(ApiError(422, "Validation Failed", errors=[problem]), "rest")

    return fault


def abuse() -> Fault:
    """Refuse as the secondary limits did under their former name, without a time to wait; still matched by clients."""
    return refuse(403, "You have triggered an abuse detection mechanism. Please retry your request again later.")


def deny() -> Fault:
    """Refuse as for a missing permission; observed to come and go where the permission is there."""
    return refuse(403, "Resource not accessible by integration")


def not_fast_forward() -> Fault:
    """Refuse to move a ref as if it had left the old commit, because the host looks at old data.

    Observed for up to half a minute after a push. Over GraphQL the refusal comes with status 200.
    """

    def fault(call: Call, _proceed: Proceed) -> Reply:
        message = "Update is not a fast forward"
        if call.over_graphql:
            error = {"type": "UNPROCESSABLE", "path": ["updateRefs"], "locations": [], "message": message}
            return Reply(200, {"data": {"updateRefs": None}, "errors": [error]})
        return refusal(ApiError(422, message), "rest/git/refs#update-a-reference")

    return fault


def withhold(
    *path: str | int, kind: str = "FORBIDDEN", message: str = "Resource not accessible by integration"
) -> Fault:
    """Do what was asked over GraphQL, but answer null at a path, with an error there beside the rest of the data.

    ``kind`` is the error's type, such as ``RESOURCE_LIMITS_EXCEEDED``.
    """

    def change(body: Any) -> Any:
        changed = copy.deepcopy(body)
        at = changed["data"]
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = None
        error = {"type": kind, "path": list(path), "locations": [], "message": message}
        return {**changed, "errors": [*changed.get("errors", ()), error]}

    return alter(change)


def alter(change: Callable[[Any], Any]) -> Fault:
    """Do what was asked and answer with what ``change`` makes of the JSON body: a partial or a strange answer."""

    def fault(_call: Call, proceed: Proceed) -> Reply:
        reply = proceed()
        return Reply(reply.status, change(reply.body), reply.headers)

    return fault


def _limited(status: int, message: str, headers: Mapping[str, str]) -> Fault:
    if status == 200:
        return answer(200, only_errors([{"type": "RATE_LIMITED", "message": message}]), headers)
    return refuse(status, message, headers)


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
    """The faults and outages that are planned, and what was answered before, for answers that come too late."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.outages = Outages(clock)
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
        self.outages.clear()
        with self._lock:
            self._planned.clear()

    def around(self, call: Call, proceed: Proceed) -> Reply:
        """Carry out a call the way that is planned for it; an outage comes before all else."""
        away = self.outages.answer(call)
        if away is not None:
            return away
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
