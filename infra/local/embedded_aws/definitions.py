"""Workflow definitions: substituted as CloudFormation does it, and refused where the local engine cannot run them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_.]+)\}")


class DefinitionRefused(Exception):
    """A workflow cannot be deployed; the message says what is wrong with it."""


def render(text: str, substitutions: Mapping[str, str]) -> str:
    """Replace each ``${Name}``; raises ``DefinitionRefused`` naming every one that has no substitution."""
    if missing := sorted(set(_PLACEHOLDER.findall(text)) - set(substitutions)):
        raise DefinitionRefused(f"no substitution for {', '.join(missing)}")
    return _PLACEHOLDER.sub(lambda placeholder: substitutions[placeholder[1]], text)


def check(definition: str) -> None:
    """Raise ``DefinitionRefused`` unless the text is JSON and uses JSONPath alone, without variables."""
    try:
        parsed = json.loads(definition)
    except json.JSONDecodeError as error:
        raise DefinitionRefused(f"the definition is no JSON: {error}") from error
    for path, field, value in _fields(parsed, "$"):
        if field == "Assign" or (field == "QueryLanguage" and value != "JSONPath"):
            raise DefinitionRefused(f"{path} uses {field}, and only JSONPath without variables is supported")


def _fields(node: Any, path: str) -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, dict):
        for field, value in node.items():
            yield path, field, value
            if field not in {"Parameters", "ResultSelector", "Result", "ItemSelector"}:
                yield from _fields(value, f"{path}.{field}")
    elif isinstance(node, list):
        for position, value in enumerate(node):
            yield from _fields(value, f"{path}[{position}]")
