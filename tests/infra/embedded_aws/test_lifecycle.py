"""An embedded AWS takes over its process while it runs, and leaves it as it was."""

import os
import sys
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ConnectionClosedError
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.wait_function import WaitFunction

from infra.local.embedded_aws.aws import EmbeddedAws
from infra.local.embedded_aws.calls import Call, Effect
from infra.local.embedded_aws.clock import LocalClock
from infra.local.embedded_aws.ecs.containers import Container, TaskDefinition
from infra.local.embedded_aws.functions.functions import Handler
from infra.local.embedded_aws.patches import Patches, PatchTargetMissing
from tests.infra.conftest import Account, invoke, run_task, until

HANDLERS: dict[str, Handler] = {
    "start_workflow": lambda _event, _context: None,
    "resolve_intake": lambda _event, _context: None,
}


def test_the_environment_has_only_dummy_credentials_inside_and_is_as_before_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "production")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "of-a-person")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-a-person")
    before = dict(os.environ)
    with EmbeddedAws(HANDLERS) as aws:
        assert "AWS_PROFILE" not in os.environ
        assert "of-a-person" not in os.environ.values()
        assert os.environ["AWS_ENDPOINT_URL_S3"] == aws.endpoint_url
        assert os.environ["AWS_ACCOUNT_ID_ENDPOINT_MODE"] == "disabled"
    assert dict(os.environ) == before


def test_each_starts_empty_and_leaves_moto_as_shipped() -> None:
    shipped = vars(WaitFunction)["_wait_interval"]
    for _ in range(2):
        with EmbeddedAws(HANDLERS) as aws:
            assert vars(WaitFunction)["_wait_interval"] is not shipped
            items = boto3.client("dynamodb").scan(TableName=aws.table_name)["Items"]
            assert items == []
            boto3.client("dynamodb").put_item(TableName=aws.table_name, Item={"pk": {"S": "a"}, "sk": {"S": "a"}})
            assert not aws.executions()
    assert vars(WaitFunction)["_wait_interval"] is shipped


def test_two_at_a_time_are_refused_and_the_first_goes_on() -> None:
    with EmbeddedAws(HANDLERS) as aws:
        with pytest.raises(RuntimeError, match="runs in this process already"), EmbeddedAws(HANDLERS):
            pass
        assert boto3.client("dynamodb").scan(TableName=aws.table_name)["Items"] == []


def test_leaving_ends_executions_and_the_containers_they_wait_for() -> None:
    program = [sys.executable, "-c", "import os, signal; print(os.getpid(), flush=True)\nwhile True: signal.pause()"]
    task = TaskDefinition("program", [Container("main", program)])
    told: list[Any] = []
    handlers = HANDLERS | {"told": lambda event, _context: told.append(event)}
    with EmbeddedAws(handlers, [task], stop_grace_seconds=0.5, failed_execution_targets="told") as aws:
        Account(aws, {}).begin({"Run": run_task("")})
        until(lambda: aws.tasks.started and aws.tasks.started[0].output("main").endswith("\n"))
        pid = int(aws.tasks.started[0].output("main"))
    assert [event["detail"]["status"] for event in told] == ["ABORTED"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_hanging_container_ends_after_the_time_out_that_the_assembly_sets() -> None:
    task = TaskDefinition(
        "program", [Container("main", [sys.executable, "-c", "import signal\nwhile True: signal.pause()"])]
    )
    with EmbeddedAws(HANDLERS, [task], task_timeout_seconds=0.2, stop_grace_seconds=0.5) as aws:
        execution = Account(aws, {}).run({"Run": run_task("", TimeoutSeconds=3600)})
    assert (execution.status, execution.error) == ("FAILED", "States.Timeout")


def test_settling_follows_what_functions_start_until_nothing_is_left() -> None:
    begun: list[str] = []

    def start(event: Any, _context: Any) -> None:
        begun.extend(record["dynamodb"]["Keys"]["sk"]["S"] for record in event["Records"])
        account.begin({"Offer": {"Type": "Wait", "Seconds": 60, "Next": "Again"}, "Again": invoke("offer")})

    def offer(event: Any, _context: Any) -> None:
        if len(begun) < 3:
            item = {"pk": {"S": "p"}, "sk": {"S": f"round-{len(begun)}"}, "kind": {"S": "decision"}}
            boto3.client("dynamodb").put_item(TableName=aws.table_name, Item=item)

    handlers = HANDLERS | {"start_workflow": start, "offer": offer}
    with EmbeddedAws(handlers) as aws:
        account = Account(aws, {})
        offer(None, None)
        aws.settle()
        assert begun == ["round-0", "round-1", "round-2"]
        assert [execution.status for execution in aws.executions()] == ["SUCCEEDED"] * 3


def test_a_write_whose_reply_was_lost_is_delivered_in_the_background_all_the_same() -> None:
    told: list[Any] = []

    def lose(call: Call, effect: Effect) -> None:
        effect()
        if call.operation == "PutItem":
            raise ConnectionError("lost")

    handlers = HANDLERS | {"start_workflow": lambda event, _context: told.extend(event["Records"])}
    with EmbeddedAws(handlers, pump_in_background=True) as aws:
        aws.around_calls(lose)
        client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        with pytest.raises(ConnectionClosedError):
            client.put_item(
                TableName=aws.table_name, Item={"pk": {"S": "p"}, "sk": {"S": "unheard"}, "kind": {"S": "decision"}}
            )
        until(lambda: told)


class Shipped:
    """A class as some library ships it."""

    def speak(self, loudly: bool) -> str:
        return "shipped" if loudly else ""


def test_a_patch_holds_until_its_block_ends() -> None:
    def speak(self: Shipped, loudly: bool) -> str:
        return f"patched, once {original(self, loudly)}"

    with Patches() as patches:
        original = patches.method(Shipped, "speak", speak)
        assert Shipped().speak(loudly=True) == "patched, once shipped"
    assert Shipped().speak(loudly=True) == "shipped"


def test_a_patch_of_a_method_that_is_gone_or_takes_other_parameters_is_refused() -> None:
    def speak(self: Shipped) -> str:
        return self.speak(loudly=True)

    with Patches() as patches:
        with pytest.raises(PatchTargetMissing, match="defines no method shout"):
            patches.method(Shipped, "shout", speak)
        with pytest.raises(PatchTargetMissing, match=r"takes \['loudly'\], its replacement takes \[\]"):
            patches.method(Shipped, "speak", speak)
        with pytest.raises(PatchTargetMissing, match="has no attribute volume"):
            patches.attribute(Shipped, "volume", 11)
        with pytest.raises(PatchTargetMissing, match="defines speak already"):
            patches.addition(Shipped, "speak", speak)


def test_a_clock_moves_ahead_only() -> None:
    clock = LocalClock()
    before = clock.now()
    clock.advance(60)
    assert (clock.now() - before).total_seconds() >= 60
    with pytest.raises(ValueError, match="cannot advance by -1"):
        clock.advance(-1)
    with pytest.raises(ValueError, match="less than no time"):
        LocalClock(pause_per_wait=-1)


def test_who_waits_on_the_clock_is_told_when_the_time_has_passed() -> None:
    seen: list[tuple[float, bool]] = []
    clock = LocalClock(
        on_wait=lambda seconds: seen.append((seconds, (clock.now() - before).total_seconds() >= seconds))
    )
    before = clock.now()
    clock.wait(3600)
    clock.wait(-5)
    assert seen == [(3600, True), (0, True)]
