"""One embedded AWS per test module, with functions that each test gives it as it goes."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Event
from typing import Any

import pytest

from infra.local.embedded_aws.aws import EmbeddedAws
from infra.local.embedded_aws.ecs.containers import Container, TaskDefinition
from infra.local.embedded_aws.functions.functions import Handler
from infra.local.embedded_aws.step_functions.executions import Execution
from tests.infra.template.built import SHARED


@dataclass
class Account:
    """An embedded AWS and the handlers of its functions, which may be added to at any time."""

    aws: EmbeddedAws
    handlers: dict[str, Handler]
    numbers: Iterator[int] = field(default_factory=count)

    def begin(self, states: dict[str, Any], input_: object = None, **top_level: object) -> str:
        """Deploy states, of which the first is where it starts, and start an execution."""
        name = f"workflow-{next(self.numbers)}"
        definition = {"StartAt": next(iter(states)), "States": states, **top_level}
        arn = self.aws.deploy(name, json.dumps(definition), {})
        return self.aws.start(arn, "execution-1", json.dumps(input_ or {}))

    def run(self, states: dict[str, Any], input_: object = None, **top_level: object) -> Execution:
        """Deploy states, run one execution and wait for its end."""
        return self.aws.wait(self.begin(states, input_, **top_level))


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the synthesised template a folder that every worker of this run shares."""
    own = tmp_path_factory.getbasetemp()
    SHARED.folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="module")
def task_definitions() -> list[TaskDefinition]:
    return [
        TaskDefinition("program", [Container("main", [sys.executable, "-c", "import os; exec(os.environ['PROGRAM'])"])])
    ]


@pytest.fixture(scope="module")
def account(task_definitions: list[TaskDefinition]) -> Iterator[Account]:
    handlers: dict[str, Handler] = {
        "start_workflow": lambda _event, _context: None,
        "resolve_intake": lambda _event, _context: None,
        "told": lambda _event, _context: None,
    }
    with EmbeddedAws(handlers, task_definitions, failed_execution_targets="told", stop_grace_seconds=0.5) as aws:
        yield Account(aws, handlers)


def until(condition: Callable[[], object]) -> None:
    """Look again and again until another process or thread has made the condition true; fail after 30 seconds."""
    for _ in range(6_000):
        if condition():
            return
        Event().wait(0.005)
    pytest.fail("the condition did not become true")


def invoke(function: str, **fields: object) -> dict[str, Any]:
    """Write a state that invokes a function with the state's input and passes its result on."""
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload.$": "$"},
        "ResultSelector": {"result.$": "$.Payload"},
        **({"End": True} | fields if "Next" not in fields else fields),
    }


def run_task(program: str, *, family: str = "program", container: str = "main", **fields: object) -> dict[str, Any]:
    """Write a state that runs a Python program as a container."""
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::ecs:runTask.sync",
        "Parameters": {
            "Cluster": "local",
            "TaskDefinition": family,
            "LaunchType": "FARGATE",
            "Overrides": {
                "ContainerOverrides": [{"Name": container, "Environment": [{"Name": "PROGRAM", "Value": program}]}]
            },
        },
        **({"End": True} | fields if "Next" not in fields else fields),
    }
