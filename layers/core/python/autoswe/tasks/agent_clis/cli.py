"""What every adapter of a command-line agent is made of: how it is started, and how its output is read."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoswe.contracts.containers import MAX_TOKENS, Usage
from autoswe.tasks.container.failure import TaskFailed

CREDENTIAL = "AUTOSWE_MODEL_CREDENTIAL"
"""The variable with what the model's service asks for; the platform fills it from a secret."""

MODEL = "AUTOSWE_MODEL"
"""The variable that names the model, in the words of the agent that is told it."""

COMMAND = "AUTOSWE_AGENT_COMMAND"
"""The variable with the program of the adapter ``command`` and its arguments, as a JSON list."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a deployment says about its agent, as variables of the agent's container."""

    variables: Mapping[str, str] = field(repr=False)

    def get(self, name: str) -> str:
        """Give a variable's value, or an empty text."""
        return self.variables.get(name, "")

    def require(self, name: str) -> str:
        """Give a variable's value; ``TaskFailed`` when it is missing or empty."""
        value = self.get(name)
        if not value:
            raise TaskFailed(f"the environment variable {name} is not set")
        return value


@dataclass(frozen=True, slots=True)
class Launch:
    """A program with its arguments, and the variables that it needs beside those that every program gets."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a program that ended well said at the very end, and what it says that this cost."""

    text: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Cli:
    """One adapter.

    ``launch`` prepares a start: it may leave files in the fresh home that it is given. ``read_reply`` reads the end of
    the program's standard output, and files of that home, as hostile input: it gives nothing unless the program says
    itself that it came to its end and did not fail.
    """

    name: str
    launch: Callable[[Settings, Path], Launch]
    read_reply: Callable[[bytes, Path], Reply | None]


def read_events(output: bytes) -> Iterator[Mapping[str, Any]]:
    """Read JSON objects, one a line; whatever else a line holds is passed over."""
    for line in output.splitlines():
        event = read_object(line)
        if event is not None:
            yield event


def read_object(text: bytes | str) -> Mapping[str, Any] | None:
    """Read one JSON object, or nothing."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_last(output: bytes) -> Mapping[str, Any]:
    """Read the last of such objects; an empty one where there is none."""
    return next(reversed([*read_events(output)]), {})


def part(value: object, name: str) -> Mapping[str, Any]:
    """Give the object that an event holds under a name, or an empty one."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, dict) else {}


def tokens(value: object) -> int:
    """Read a number of tokens; what is no plausible number counts as none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS else 0


def usage(input_tokens: int, output_tokens: int) -> Usage:
    """Bound sums of such numbers."""
    return Usage(input_tokens=min(input_tokens, MAX_TOKENS), output_tokens=min(output_tokens, MAX_TOKENS))
