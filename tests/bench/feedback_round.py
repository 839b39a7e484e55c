"""What one feedback round costs: GitHub calls, table and bucket requests, state transitions, and time here."""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter

from infra.local.assembly import LocalAssembly
from tests.bench.scale import Scale
from tests.scenarios.story import Story

TITLE = "one feedback round (one suggestion, one remark, green CI)"

STEP_USD = 0.000025
DYNAMODB_WRITE_USD = 1.25e-6
FARGATE_ARM_VCPU_HOUR_USD = 0.03238
FARGATE_ARM_GB_HOUR_USD = 0.00356


def measure(_scale: Scale) -> Iterator[str]:
    """Play a round and count; there is no smaller one."""
    logging.disable(logging.ERROR)
    with (
        tempfile.TemporaryDirectory() as root,
        redirect_stdout(StringIO()),
        LocalAssembly(Path(root)) as assembly,
    ):
        story = Story.begin(assembly)
        story.settle_ci("success")
        assembly.host.calls.clear()
        assembly.aws.calls.clear()
        began = perf_counter()
        story.request_changes()
        story.finish()
        took = perf_counter() - began
        [execution] = story.executions()
        github = Counter(call.operation for call in assembly.host.calls)
        services = Counter((call.service, call.operation) for call in assembly.aws.calls)
    logging.disable(logging.NOTSET)
    yield f"{took:.2f} s in all, {execution.status.lower()}"
    yield f"{execution.transitions} state transitions"
    yield f"{sum(github.values())} GitHub calls"
    yield from _listed(github)
    for service in ("dynamodb", "s3"):
        counted = Counter({operation: number for (name, operation), number in services.items() if name == service})
        yield f"{sum(counted.values())} {service} requests"
        yield from _listed(counted)
    table = sum(number for (name, _), number in services.items() if name == "dynamodb")
    yield f"about {_usd(execution.transitions, table):.4f} USD, most of it the fixer task (1 vCPU, 2 GB, 2 minutes)"


def _listed(counted: "Counter[str]") -> Iterator[str]:
    for operation, number in counted.most_common():
        yield f"  {number:3} {operation}"


def _usd(transitions: int, requests: int) -> float:
    task = (FARGATE_ARM_VCPU_HOUR_USD + 2 * FARGATE_ARM_GB_HOUR_USD) * 2 / 60
    return transitions * STEP_USD + requests * DYNAMODB_WRITE_USD + task
