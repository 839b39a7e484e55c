"""What functions ask of AWS while the local assembly plays, to be compared with what the template's roles allow."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import pytest
from botocore.client import BaseClient

from infra.local.assembly import SECRETS_PREFIX, LocalAssembly
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from tests.infra.template.built import Right, synthesise
from tests.infra.template.functions_table import read_rows

TABLE = "<StateTable.Arn>"
READS = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"}
REVIEW_LAMBDAS = ("apply_review", "preflight", "prepare_review", "report_run", "select_pulls")
ROUND_LAMBDAS = tuple(sorted(set(read_rows()) - {*REVIEW_LAMBDAS, "fixer_task", "review_task"}))
SIGNERS = {"prepare_task": "<RoundSigner.Arn>", "prepare_review": "<ReviewSigner.Arn>"}


@dataclass(frozen=True)
class Need:
    """One action that a call performs, on a resource, and the partition key of the row it is about."""

    action: str
    resource: str
    row: str = ""

    def is_met_by(self, right: Right) -> bool:
        if self.action != right.action or not fnmatchcase(self.resource, right.resource):
            return False
        return not right.condition or any(fnmatchcase(self.row, pattern) for pattern in partitions(right))


Needs = Mapping[str, set[Need]]


@dataclass
class Recorder:
    """Notes what each function needs, by watching the calls that clients make while the function runs."""

    needs: dict[str, set[Need]] = field(default_factory=lambda: defaultdict(set))
    running: threading.local = field(default_factory=threading.local)

    def began(self, invocation: Invocation) -> None:
        self.running.function = invocation.function

    def ended(self) -> None:
        self.running.function = None

    def called(self, service: str, operation: str, parameters: Mapping[str, Any]) -> None:
        function = getattr(self.running, "function", None)
        if function is not None:
            self.needs[function] |= set(read_needs(function, service, operation, parameters))


@dataclass
class Interference:
    """What goes wrong or comes between while functions are called, and notes what they need otherwise.

    Functions in ``failing`` fail before they do anything, and the next answer of one in ``unheard`` is lost; what is in
    ``once`` happens just before the next call.
    """

    assembly: LocalAssembly
    recorder: Recorder = field(default_factory=Recorder)
    failing: set[str] = field(default_factory=set)
    unheard: set[str] = field(default_factory=set)
    once: dict[str, Callable[[], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.assembly.aws.hooks.before_invoke = self._before
        self.assembly.aws.hooks.after_invoke = self._after

    def _before(self, invocation: Invocation) -> None:
        if invocation.function in self.failing:
            raise ConnectionError("lost")
        self.once.pop(invocation.function, lambda: None)()
        self.recorder.began(invocation)

    def _after(self, invocation: Invocation, _outcome: Outcome) -> None:
        self.recorder.ended()
        if invocation.function in self.unheard:
            self.unheard.remove(invocation.function)
            raise ConnectionError("lost")

    def sweep(self) -> None:
        """Let the two minutes pass in which nothing is swept, and sweep."""
        self.assembly.clock.advance(121)
        self.assembly.sweep()


@contextmanager
def watched(assembly: LocalAssembly) -> Iterator[Interference]:
    """Note what functions ask of AWS until the block ends."""
    make_call = BaseClient._make_api_call
    interference = Interference(assembly)

    def noted(client: BaseClient, operation: str, parameters: Mapping[str, Any]) -> Any:
        service = client.meta.service_model.service_id.lower().replace(" ", "")
        interference.recorder.called(service, operation, parameters)
        return make_call(client, operation, parameters)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(BaseClient, "_make_api_call", noted)
        yield interference


def read_needs(function: str, service: str, operation: str, parameters: Mapping[str, Any]) -> Iterator[Need]:
    """Say which actions a function's call needs (Service Authorization Reference)."""
    match service:
        case "dynamodb":
            yield from row_needs(operation, parameters)
        case "s3":
            version = "Version" if "VersionId" in parameters else ""
            yield Need(f"s3:{operation}{version}", f"<StateBucket.Arn>/{parameters['Key']}")
        case "secretsmanager":
            name = parameters["SecretId"].replace(SECRETS_PREFIX, "autoswe/autoswe")
            yield Need(f"secretsmanager:{operation}", f"arn:aws:secretsmanager:REGION:ACCOUNT:secret:{name}-a1B2c3")
        case "sfn":
            machine = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-feedback_round"
            yield Need(f"states:{operation}", machine)
        case "sts":
            yield Need(f"sts:{operation}", SIGNERS[function])
        case _:
            raise AssertionError(f"no role was considered for {service} {operation}")


def row_needs(operation: str, parameters: Mapping[str, Any]) -> Iterator[Need]:
    """Take a transaction apart: it needs the rights of its parts and none of its own."""
    match operation:
        case "TransactGetItems" | "TransactWriteItems":
            for part in parameters["TransactItems"]:
                ((kind, request),) = part.items()
                yield row_need(f"{kind}Item", request)
        case "BatchGetItem":
            for request in parameters["RequestItems"].values():
                yield from (row_need(operation, {"Key": key}) for key in request["Keys"])
        case _:
            yield row_need(operation, parameters)


def row_need(action: str, request: Mapping[str, Any]) -> Need:
    if "IndexName" in request:
        return Need(f"dynamodb:{action}", f"{TABLE}/index/{request['IndexName']}")
    key = request.get("Key") or request.get("Item") or {"pk": request["ExpressionAttributeValues"][":pk"]}
    return Need(f"dynamodb:{action}", TABLE, key["pk"]["S"])


def partitions(right: Right) -> list[str]:
    """Give the patterns that a conditional right holds keys of rows to."""
    patterns: list[str] = json.loads(right.condition)["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    return patterns


def rights_of(function: str) -> set[Right]:
    template = synthesise()
    return template.rights(template.role_of(function))


def forbidden(needs: Needs) -> set[tuple[str, Need]]:
    """Give what functions asked for and their roles do not allow."""
    return {
        (function, need)
        for function, asked in needs.items()
        for need in asked
        if not any(need.is_met_by(right) for right in rights_of(function))
    }


def idle(needs: Needs, resources: Collection[str]) -> set[tuple[str, Right]]:
    """Give the rights on some resources that functions have and never made use of."""
    return {
        (function, right)
        for function, asked in needs.items()
        for right in rights_of(function)
        if right.resource in resources and not any(need.is_met_by(right) for need in asked)
    }


def unwritten(needs: Needs) -> dict[str, set[str]]:
    """Give the partitions that functions may write to and never wrote to."""
    return {
        function: idle_ones
        for function, asked in needs.items()
        if (
            idle_ones := _writable(function)
            - {f"{need.row.split('#')[0]}#*" for need in asked if need.action in WRITES}
        )
    }


def _writable(function: str) -> set[str]:
    return {pattern for right in rights_of(function) if right.condition for pattern in partitions(right)}


def kinds_read(asked: set[Need]) -> set[str]:
    """Give the kinds of rows that were read by their keys."""
    return {need.row.split("#")[0] for need in asked if need.action in READS and need.resource == TABLE}
