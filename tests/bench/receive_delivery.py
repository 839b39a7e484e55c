"""What a delivery costs: from nothing, in a fresh interpreter, and in one that is warm."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from statistics import median
from typing import Any

from autoswe.runtime.intake.webhook import receive_delivery
from autoswe.runtime.process import Process, running_as
from tests.bench.loopback_aws import loopback_aws
from tests.bench.scale import Scale
from tests.support.fake_clock import FakeClock
from tests.support.intake import deliveries
from tests.support.intake.memory_ledger import MemorySecrets
from tests.support.places import FUNCTIONS

TITLE = "receive_delivery"

KB = 1024

FLOOR = """
import os
from botocore.session import Session
Session().create_client("dynamodb", region_name=os.environ["AWS_REGION"])
"""

HANDLE = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
answer = module.handler(json.load(sys.stdin), None)
assert json.loads(answer["body"])["reason"] == sys.argv[2], answer
"""


def measure(scale: Scale) -> Iterator[str]:
    """Measure cold starts against the floor, then warm handling by size."""
    yield from _cold_starts(scale.repetitions)
    yield from _warm_handling(scale.seconds)


def sized(size: int, comment: str) -> dict[str, Any]:
    """Build the API Gateway event of a comment whose payload is filled up to a size with what payloads are made of."""
    payload = deliveries.discussion_comment(comment)
    filler = {"id": 1, "node_id": "MDQ6VXNlcjE=", "url": "https://github.test/users/somebody", "site_admin": False}
    room = size - len(json.dumps(payload, separators=(",", ":")))
    payload["filler"] = [filler] * (room // (len(json.dumps(filler, separators=(",", ":"))) + 1))
    return deliveries.request(payload)


def _cold_starts(interpreters: int) -> Iterator[str]:
    """Start interpreters in turn, so that a machine that slows down slows all of them down alike."""
    handler = str(FUNCTIONS / "receive_delivery" / "handler.py")
    plain, command = (json.dumps(sized(KB, comment)) for comment in ("Looks good to me.", "/auto-swe fix"))
    with loopback_aws(deliveries.SECRET) as url:
        environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "AUTOSWE_TABLE": "bench",
            "AUTOSWE_SECRETS_PREFIX": "autoswe/bench",
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "AWS_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL": url,
        }
        programs: dict[str, Callable[[], float]] = {
            "floor: interpreter and DynamoDB client": lambda: _seconds(environment, [FLOOR]),
            "plain comment of 1 KB, ignored": lambda: _seconds(environment, [HANDLE, handler, "no_trigger"], plain),
            "command of 1 KB, records read": lambda: _seconds(
                environment, [HANDLE, handler, "kill_switch_off"], command
            ),
        }
        rounds = [{name: run() for name, run in programs.items()} for _ in range(interpreters)]
    medians = {name: median(seconds[name] for seconds in rounds) for name in programs}
    floor = next(iter(medians.values()))
    yield f"cold start, median of {interpreters} fresh interpreters"
    for name, seconds in medians.items():
        yield f"  {name:<42}{seconds * 1000:9.0f} ms   {seconds / floor:.2f} of the floor"


def _seconds(environment: dict[str, str], arguments: Sequence[str], given: str = "") -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", *arguments], input=given, env=environment, check=True, text=True, capture_output=True
    )
    return time.perf_counter() - start


class AdmittingTable:
    """A DynamoDB client whose table admits the reviewer and takes every claim, at once."""

    def batch_get_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803 - DynamoDB's name
        admitting = {
            "value": {"BOOL": True},
            "active": {"BOOL": True},
            "kind": {"S": "tracked_workflow"},
            "repository": {"S": deliveries.REPOSITORY},
            "repository_id": {"N": "9001"},
        }
        ((name, request),) = RequestItems.items()
        return {"Responses": {name: [{**key, **admitting} for key in request["Keys"]]}, "UnprocessedKeys": {}}

    def get_paginator(self, _operation: str) -> "AdmittingTable":
        return self

    def paginate(self, **_parameters: Any) -> Iterator[dict[str, Any]]:
        yield {"Items": [{"automation_id": {"S": "fix-feedback"}, "enabled": {"BOOL": True}}]}

    def transact_write_items(self, **_parameters: Any) -> None:
        return None


def _warm_handling(seconds: float) -> Iterator[str]:
    process = Process({"AUTOSWE_TABLE": "bench", "AUTOSWE_SECRETS_PREFIX": "autoswe/bench"}, FakeClock())
    process.once("secrets", MemorySecrets)
    process.once("aws client dynamodb", AdmittingTable)
    yield f"warm, median over {seconds} s"
    with running_as(process):
        for size, name in ((KB, "1 KB"), (25 * KB, "25 KB"), (KB * KB, "1 MB")):
            yield _warm(f"plain comment of {name}, ignored", sized(size, "Looks good to me."), "ignored", seconds)
        yield _warm("command of 1 KB, decided in memory", sized(KB, "/auto-swe fix"), "decided", seconds)


def _warm(name: str, event: dict[str, Any], outcome: str, seconds: float) -> str:
    taken: list[float] = []
    with redirect_stdout(StringIO()):
        end = time.perf_counter() + seconds
        while not taken or time.perf_counter() < end:
            start = time.perf_counter()
            answer = receive_delivery(event, None)
            taken.append(time.perf_counter() - start)
            if json.loads(answer["body"])["outcome"] != outcome:
                raise AssertionError(f"{name}: {answer}")
    return f"  {name:<42}{median(taken) * 1000:9.3f} ms"
