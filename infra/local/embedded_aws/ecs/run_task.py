"""ECS's RunTask: checks what Step Functions asks for and starts the task."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from infra.local.embedded_aws.account import task_family
from infra.local.embedded_aws.calls import ServiceCalls, ServiceFault
from infra.local.embedded_aws.ecs.containers import TaskDefinition
from infra.local.embedded_aws.ecs.tasks import Task

MAX_OVERRIDE_CHARACTERS = 8_192
_SET_BY_FARGATE = re.compile(r"AWS_EXECUTION_ENV|AWS_(DEFAULT_)?REGION|AWS_CONTAINER_CREDENTIALS_\w+|ECS_\w+")


class Tasks:
    """The account's task definitions, and every task that was run."""

    def __init__(
        self, definitions: Sequence[TaskDefinition], calls: ServiceCalls, root: Path, stop_grace_seconds: float
    ) -> None:
        self.started: list[Task] = []
        self._definitions = {definition.family: definition for definition in definitions}
        self._calls = calls
        self._root = root
        self._stop_grace_seconds = stop_grace_seconds

    def run_task(self, parameters: Mapping[str, Any]) -> Task:
        """Start a task as ECS's RunTask does, with Step Functions' spelling of its parameters.

        Raises ``ServiceFault`` for what ECS refuses: an unknown task definition or container, more than 8,192
        characters of overrides, a variable without a name or whose value is no string; for a variable that Fargate sets
        itself, which the container would never see as given; and for an override that is not modelled here.
        """
        return self._calls.perform("ecs", "RunTask", lambda: self._start(parameters))

    def task(self, task_arn: str) -> Task:
        """Find a task that was started by its ARN."""
        return next(task for task in self.started if task.arn == task_arn)

    def stop_all(self) -> None:
        """End every task that still runs."""
        for task in self.started:
            task.stop()

    def _start(self, parameters: Mapping[str, Any]) -> Task:
        family = task_family(str(parameters["TaskDefinition"]))
        definition = self._definitions.get(family)
        if definition is None:
            raise ServiceFault("ClientException", f"TaskDefinition not found: {family}")
        environments = _environments(definition, parameters.get("Overrides", {}))
        task = Task(definition, environments, self._root / uuid4().hex, self._stop_grace_seconds)
        self.started.append(task)
        return task


def _environments(definition: TaskDefinition, overrides: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    size = len(json.dumps(overrides, separators=(",", ":"), ensure_ascii=False))
    if size > MAX_OVERRIDE_CHARACTERS:
        raise _invalid(f"Container Overrides length must be at most {MAX_OVERRIDE_CHARACTERS}, and it is {size}")
    names = {container.name for container in definition.containers}
    environments: dict[str, dict[str, str]] = {}
    for override in overrides.get("ContainerOverrides", []):
        name = override.get("Name")
        if name not in names:
            raise _invalid(f"Override for container named {name} is not a container in the TaskDefinition")
        if unknown := set(override) - {"Name", "Environment"}:
            raise _invalid(f"the override of container {name} sets {sorted(unknown)}, which is not modelled")
        environments[name] = {}
        for variable in override.get("Environment", []):
            variable_name = variable.get("Name")
            if not variable_name or not isinstance(variable.get("Value"), str):
                raise _invalid(f"the variable {variable_name!r} of container {name} needs a name and a string")
            if _SET_BY_FARGATE.fullmatch(variable_name):
                raise _invalid(f"the variable {variable_name} of container {name} is Fargate's own to set")
            environments[name][variable_name] = variable["Value"]
    return environments


def _invalid(message: str) -> ServiceFault:
    return ServiceFault("InvalidParameterException", message)
