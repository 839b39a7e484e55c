"""Follows a round call by call, and makes the calls fail that a plan names."""

import io
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import botocore.endpoint
from botocore.exceptions import ReadTimeoutError
from botocore.response import StreamingBody

from autoswe.runtime import aws
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.calls import Call, Effect, ServiceFault, undisturbed
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.embedded_aws.patches import Patches
from tests.faults.github_faults import watch_github
from tests.faults.kinds import Fault, Kind
from tests.faults.places import CONTAINERS, WORKFLOW, Place

_ERRORS = {
    "dynamodb": ServiceFault("InternalServerError", status=500),
    "ecs": ServiceFault("ServerException", status=500),
    "s3": ServiceFault("InternalError", status=500),
    "secretsmanager": ServiceFault("InternalServiceError", status=500),
    "stepfunctions": ServiceFault("InternalFailure", status=500),
    "sts": ServiceFault("InternalFailure", status=500),
}
_AFTER_THE_EFFECT = {Kind.LOST, Kind.LOST_ONCE, Kind.DIED, Kind.PARTIAL}
_THROTTLES = {"s3": ServiceFault("SlowDown", status=503)}
_THROTTLED = ServiceFault("ThrottlingException", status=400)


class Misplaced(Exception):
    """A planned fault names a call that is not made in that place."""


class Died(SystemExit):
    """The process that made a call is no more."""


@dataclass
class Caller:
    """One invocation, or the containers of one task: what it has asked so far, and what has befallen it."""

    name: str
    invocation: int
    asked: int = 0
    dead: bool = False
    lacks_part: bool = False
    struck: dict[str, Kind] = field(default_factory=dict)


class Watch:
    """Follows the rounds of an assembly within ``following``; one at a time.

    A fault that persists meets the same invocation again, or the same task's containers, each time the operation is
    tried again; the workflow itself, whose every try is a new one, it meets once.
    """

    def __init__(self, assembly: LocalAssembly) -> None:
        self.places: list[Place] = []
        self.met: list[Fault] = []
        self._assembly = assembly
        self._here = threading.local()
        self._lock = threading.Lock()
        self._following = False
        self._plan: Sequence[Fault] = ()
        self._invocations: Counter[str] = Counter()
        self._outside: dict[str, Caller] = {}
        self._at_work: Caller | None = None

    @contextmanager
    def installed(self) -> Iterator["Watch"]:
        """Watch every call of the assembly's functions and containers until the block ends."""
        embedded, process = self._assembly.aws, self._assembly.process
        embedded.hooks.before_invoke, embedded.hooks.after_invoke = self._enter, self._leave
        embedded.around_calls(self._around)
        watch_github(process, self.meet)
        aws.client(process, "dynamodb").meta.events.register("after-call.dynamodb", self._lack_part)
        aws.session(process).register("after-call.s3", self._lack_part)
        with Patches() as patches:
            patches.attribute(botocore.endpoint, "time", SimpleNamespace(sleep=self._assembly.clock.advance))
            yield self
        embedded.around_calls(undisturbed)

    @contextmanager
    def following(self, plan: Sequence[Fault] = ()) -> Iterator[None]:
        """Record the calls made in the block, and let those fail that the plan names."""
        self.places, self.met, self._plan = [], [], plan
        self._invocations, self._outside, self._at_work = Counter(), {}, None
        self._following = True
        try:
            yield
        finally:
            self._following = False

    def meet(self, operation: str, caller: Caller | None = None) -> Kind | None:
        """Record a call, and say in which way it fails; raises ``Died`` for a process that is no more."""
        caller = caller or getattr(self._here, "caller", None)
        if caller is None or not self._following:
            return None
        with self._lock:
            if caller.dead:
                raise Died
            caller.asked += 1
            place = Place(caller.name, caller.invocation, caller.asked, operation)
            self.places.append(place)
            kind = self._planned(place) or caller.struck.get(operation)
            if kind is not None:
                self.met.append(Fault(place, kind))
                if kind.persists and caller.name != WORKFLOW:
                    caller.struck[operation] = kind
                caller.dead = kind is Kind.DIED
            return kind

    def _planned(self, place: Place) -> Kind | None:
        for fault in self._plan:
            if fault.place == place:
                return fault.kind
            if (place.caller, place.invocation, place.position) == (
                fault.place.caller,
                fault.place.invocation,
                fault.place.position,
            ):
                raise Misplaced(f"{fault.place} is {place} by now")
        return None

    def _enter(self, invocation: Invocation) -> None:
        self._here.caller = None
        name = invocation.state or self._name_outside_workflow(invocation)
        if self._following and name is not None:
            self._invocations[name] += 1
            self._here.caller = Caller(name, self._invocations[name])
            if invocation.state is not None:
                self._at_work = self._here.caller

    @staticmethod
    def _name_outside_workflow(invocation: Invocation) -> str | None:
        if invocation.function == "start_workflow":
            return "start_workflow"
        if invocation.function != "receive_delivery":
            return None
        is_review = invocation.event["headers"].get("x-github-event") == "pull_request_review"
        return "receive_delivery" if is_review and "[bot]" not in invocation.event["body"] else None

    def _leave(self, _invocation: Invocation, _outcome: Outcome) -> None:
        caller: Caller | None = getattr(self._here, "caller", None)
        self._here.caller = None
        if caller is None:
            return
        if caller is self._at_work:
            self._at_work = None
        if caller.dead:
            raise Died

    def _around(self, call: Call, effect: Effect) -> None:
        caller, in_its_thread = self._caller_of(call)
        if caller is None:
            effect()
            return
        try:
            kind = self.meet(f"{call.service} {call.operation}", caller)
        except Died:
            if in_its_thread:
                raise
            raise ConnectionResetError from None
        if kind is None:
            effect()
            return
        if kind in _AFTER_THE_EFFECT:
            effect()
        if kind is Kind.PARTIAL:
            caller.lacks_part = True
            return
        if kind is Kind.DIED and caller.name == CONTAINERS:
            self._assembly.aws.tasks.started[-1].stop()
        raise _failure(call.service, kind, in_its_thread=in_its_thread)

    def _caller_of(self, call: Call) -> tuple[Caller | None, bool]:
        """Say who makes a call, and whether the thread at hand is the caller's own: S3 is asked over the network."""
        caller: Caller | None = getattr(self._here, "caller", None)
        if not self._following or call.service == "lambda":
            return None, True
        if call.service == "ecs":
            return self._outside.setdefault(WORKFLOW, Caller(WORKFLOW, 1)), True
        if caller is None and call.service == "s3":
            return self._at_work or self._outside.setdefault(CONTAINERS, Caller(CONTAINERS, 1)), False
        return caller, True

    def _lack_part(self, parsed: dict[str, Any], model: Any, **_: object) -> None:
        caller: Caller | None = getattr(self._here, "caller", None)
        if caller is not None and caller.lacks_part:
            caller.lacks_part = False
            _TAKE_PART[model.name](parsed)


def _failure(service: str, kind: Kind, *, in_its_thread: bool) -> BaseException:
    if kind is Kind.ERROR:
        return _ERRORS[service]
    if kind is Kind.THROTTLED:
        return _THROTTLES.get(service, _THROTTLED)
    if not in_its_thread:
        return ConnectionResetError()
    return Died() if kind is Kind.DIED else ReadTimeoutError(endpoint_url=service)


def _leave_unprocessed(parsed: dict[str, Any]) -> None:
    for table, items in parsed["Responses"].items():
        if items:
            left = items.pop()
            key = {"pk": left["pk"], "sk": left["sk"]}
            parsed.setdefault("UnprocessedKeys", {})[table] = {"Keys": [key], "ConsistentRead": True}


def _end_page_early(parsed: dict[str, Any]) -> None:
    if len(parsed["Items"]) > 1:
        parsed["Items"].pop()
        last = parsed["Items"][-1]
        parsed["LastEvaluatedKey"] = {"pk": last["pk"], "sk": last["sk"]}


def _end_body_early(parsed: dict[str, Any]) -> None:
    content = parsed["Body"].read()
    parsed["Body"] = StreamingBody(io.BytesIO(content[: len(content) // 2]), len(content))


_TAKE_PART: dict[str, Callable[[dict[str, Any]], None]] = {
    "BatchGetItem": _leave_unprocessed,
    "GetObject": _end_body_early,
    "Query": _end_page_early,
}
