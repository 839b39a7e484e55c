"""Workflow definitions: substituted as CloudFormation does it, and refused where the local engine cannot run them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_.]+)\}")
_RUN_TASK = "arn:aws:states:::ecs:runTask"
_RUN_TASK_PARAMETERS = frozenset(
    {
        "Cluster",
        "EnableExecuteCommand",
        "Group",
        "LaunchType",
        "NetworkConfiguration",
        "Overrides",
        "PlacementConstraints",
        "PlacementStrategy",
        "PlatformVersion",
        "PropagateTags",
        "TaskDefinition",
    }
)


class DefinitionRefused(Exception):
    """A workflow cannot be deployed; the message says what is wrong with it."""


def render(text: str, substitutions: Mapping[str, str]) -> str:
    """Replace each ``${Name}``; raises ``DefinitionRefused`` naming every one that has no substitution."""
    if missing := sorted(set(_PLACEHOLDER.findall(text)) - set(substitutions)):
        raise DefinitionRefused(f"no substitution for {', '.join(missing)}")
    return _PLACEHOLDER.sub(lambda placeholder: substitutions[placeholder[1]], text)


def check(definition: str) -> None:
    """Raise ``DefinitionRefused`` unless the text is JSON and uses JSONPath alone, without variables.

    A parameter of RunTask that Step Functions does not hand on is refused as well; ``ClientToken`` is one (AWS Step
    Functions: "Run Amazon ECS or Fargate tasks with Step Functions").
    """
    try:
        parsed = json.loads(definition)
    except json.JSONDecodeError as error:
        raise DefinitionRefused(f"the definition is no JSON: {error}") from error
    for path, part in _objects(parsed, "$"):
        for field in ("Assign", "QueryLanguage"):
            if field in part and part[field] != "JSONPath":
                raise DefinitionRefused(f"{path} uses {field}, and only JSONPath without variables is supported")
        if str(part.get("Resource", "")).startswith(_RUN_TASK):
            names = {name.removesuffix(".$") for name in part.get("Parameters", {})}
            if unknown := sorted(names - _RUN_TASK_PARAMETERS):
                raise DefinitionRefused(f"{path}: Step Functions hands no {', '.join(unknown)} on to RunTask")


def _objects(node: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        yield path, node
        for field, value in node.items():
            if field not in {"Parameters", "ResultSelector", "Result", "ItemSelector"}:
                yield from _objects(value, f"{path}.{field}")
    elif isinstance(node, list):
        for position, value in enumerate(node):
            yield from _objects(value, f"{path}[{position}]")
