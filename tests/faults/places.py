"""Where a round can be hurt: its external calls, each named by who makes it and in which place."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

CONTAINERS = "Run fixer"
"""The caller's name for what the fixer's containers ask by presigned address."""

WORKFLOW = "feedback_round"
"""The caller's name for what the workflow itself asks of ECS."""


@dataclass(frozen=True, order=True)
class Place:
    """One external call of a round.

    ``caller`` is the workflow's state, or the function outside of it; ``invocation`` counts its invocations from 1,
    ``position`` the calls within one from 1. ``operation`` is ``dynamodb PutItem`` or ``github GET /repos/{owner}/…``.
    """

    caller: str
    invocation: int
    position: int
    operation: str

    def __str__(self) -> str:
        nth = f" ({self.invocation})" if self.invocation > 1 else ""
        return f"{self.caller}{nth}: {self.position} {self.operation}"

    @property
    def service(self) -> str:
        """The first word of the operation: github, dynamodb, s3, …"""
        return self.operation.partition(" ")[0]


def listed(calls: Path) -> list[Place]:
    """Read a checked-in list of a round's calls."""
    return [_read(line) for line in calls.read_text().splitlines()]


def write_list(calls: Path, places: Iterable[Place]) -> None:
    """Replace a checked-in list: the calls in order, one to a line."""
    calls.write_text("".join(f"{place}\n" for place in places))


def _read(line: str) -> Place:
    who, _, what = line.partition(": ")
    caller, _, nth = who.partition(" (")
    position, _, operation = what.partition(" ")
    return Place(caller, int(nth.rstrip(")") or 1), int(position), operation)
