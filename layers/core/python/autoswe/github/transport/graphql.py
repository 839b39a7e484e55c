"""The GraphQL documents, and what an answer with errors means (Rate limits and query limits for the GraphQL API).

GitHub answers a query that failed in part with status 200, the rest of the data and a list of errors. Whatever comes
with errors is not the whole and never taken for it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files

from httpx import codes
from pydantic import JsonValue, TypeAdapter

from autoswe.github.transport.http import Answer, Refusal, Request
from autoswe.github.transport.refusals import about_a_limit, limited, one_line, refused
from autoswe.github.transport.refusals import judge as judge_status
from autoswe.github.transport.shape import Shape, Unreadable, read_shape
from autoswe.ports.github import Forbidden, Gone, HostError, PartialAnswer, Refused, Unavailable

_LIMITS = {"RATE_LIMITED", "RATE_LIMIT"}
_DENIALS = {"FORBIDDEN", "INSUFFICIENT_SCOPES"}
_ABSENCE = "NOT_FOUND"
_REJECTIONS = {"UNPROCESSABLE", "STALE_DATA", "VALIDATION"}
_EFFORT = "RESOURCE_LIMITS_EXCEEDED"
_TOOK_TOO_LONG = {codes.BAD_GATEWAY, codes.GATEWAY_TIMEOUT}


class Unsupported(Refused):
    """The host's schema has no such mutation, so nothing was done; the caller knows another way."""


class TooMuch(Unavailable):
    """The query takes the host more time or effort than it gives to one; a smaller one may be answered."""


class _Error(Shape):
    message: str
    type: str | None = None
    path: list[str | int] | None = None
    extensions: dict[str, JsonValue] | None = None

    def describe(self) -> str:
        place = ".".join(map(str, self.path or ()))
        return one_line(f"{self.message} (at {place})" if place else self.message)

    @property
    def node(self) -> int | None:
        """The place in ``nodes`` that the error is about."""
        match self.path:
            case ["nodes", int(place), *_]:
                return place
            case _:
                return None

    @property
    def is_unknown_field(self) -> bool:
        return (self.extensions or {}).get("code") == "undefinedField"


class _Outcome(Shape):
    errors: list[_Error] | None = None


_OUTCOME = TypeAdapter(_Outcome)
_Fallback = Callable[[Sequence[_Error], str], HostError]


@cache
def document(name: str) -> str:
    """Read the named document that ships with this package."""
    return (files(__package__) / "queries" / f"{name}.graphql").read_text(encoding="utf-8")


def judge_query(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    """Decide what keeps a query's answer from being whole.

    ``RateLimited``: a limit. ``Forbidden``: some part may not be seen. ``Gone``: the errors say only that something
    does not exist. ``PartialAnswer``: any other error.
    """
    return judge_status(request, answer, now) or _judge_errors(request, answer, now, _failed_query)


def judge_batch(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    """Judge a query about many nodes as any query; ``TooMuch``, which is not repeated: to ask for fewer may help.

    Sources: "Rate limits and query limits for the GraphQL API", timeouts and resource limits.
    """
    if answer.status in _TOOK_TOO_LONG:
        return Refusal(TooMuch(f"{request.name}: {answer.status}"))
    return judge_status(request, answer, now) or _judge_errors(request, answer, now, _failed_batch)


def judge_nodes(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    """Judge a query about many nodes, of which some may fail: each for itself, as ``failed_nodes`` tells."""
    if answer.status == codes.OK and failed_nodes(answer.content):
        return None
    return judge_batch(request, answer, now)


def failed_nodes(content: bytes) -> frozenset[int] | None:
    """Return the places in ``nodes`` of which an answer's errors speak; ``None`` when one speaks of anything more.

    A limit is never about one node alone.
    """
    try:
        errors = read_shape(_OUTCOME, content).errors or []
    except Unreadable:
        return None
    places = [error.node for error in errors if error.type not in {*_LIMITS, _EFFORT}]
    known = frozenset(place for place in places if place is not None)
    return known if len(places) == len(errors) and None not in places else None


def judge_mutation(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    """Decide whether a mutation was done.

    ``RateLimited``, ``Forbidden`` and ``Gone`` as for a query; ``Unsupported``: the host lacks it. ``Refused``: the
    host rejects it. ``Unavailable``: any other error, for it does not say what was done before it.
    """
    return judge_status(request, answer, now) or _judge_errors(request, answer, now, _failed_mutation)


def _judge_errors(request: Request, answer: Answer, now: datetime, fallback: _Fallback) -> Refusal | None:
    try:
        errors = read_shape(_OUTCOME, answer.content).errors
    except Unreadable as unreadable:
        return Refusal(request.misunderstood(str(unreadable)))
    if errors is None:
        return None
    message = f"{request.name}: {'; '.join(error.describe() for error in errors[:3])}"
    types = {error.type for error in errors}
    if types & _LIMITS or about_a_limit(message):
        return limited(request, answer, now)
    if types & _DENIALS:
        return Refusal(Forbidden(message))
    if types == {_ABSENCE}:
        return Refusal(Gone(message))
    return Refusal(fallback(errors, message))


def _failed_query(_: Sequence[_Error], message: str) -> HostError:
    return PartialAnswer(message)


def _failed_batch(errors: Sequence[_Error], message: str) -> HostError:
    return TooMuch(message) if any(error.type == _EFFORT for error in errors) else PartialAnswer(message)


def _failed_mutation(errors: Sequence[_Error], message: str) -> HostError:
    if errors and all(error.is_unknown_field for error in errors):
        return Unsupported(message)
    if errors and all(error.type in _REJECTIONS for error in errors):
        return refused(message)
    return Unavailable(message)
