"""ECS task definitions: which containers a task has, and in which order they run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

_NAME = re.compile(r"[A-Za-z0-9_-]{1,255}")


class Condition(StrEnum):
    """What a container waits for in another one: that it ended, or that it ended with exit code 0."""

    COMPLETE = "COMPLETE"
    SUCCESS = "SUCCESS"


@dataclass(frozen=True)
class Container:
    """One container: ``argv`` is run as a process, ``environment`` is what the task definition gives it."""

    name: str
    argv: Sequence[str]
    essential: bool = True
    depends_on: Sequence[tuple[str, str]] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def conditions(self) -> tuple[tuple[str, Condition], ...]:
        """The containers this one waits for; raises ``ValueError`` for a condition that is not modelled."""
        return tuple((name, Condition(condition)) for name, condition in self.depends_on)


@dataclass(frozen=True)
class TaskDefinition:
    """A family of containers that share a scratch folder and run one after another.

    Raises ``ValueError`` in one sentence for what ECS refuses (a name twice, an unknown, essential or circular
    dependency, no essential container) and for containers that no dependency orders: on Fargate they run at the same
    time, here they cannot.
    """

    family: str
    containers: Sequence[Container]

    def __post_init__(self) -> None:
        named = {container.name: container for container in self.containers}
        if len(named) != len(self.containers) or not all(map(_NAME.fullmatch, named)):
            raise ValueError(
                f"task definition {self.family}: container names must be unique and of letters, digits, _ -"
            )
        if not any(container.essential for container in self.containers):
            raise ValueError(f"task definition {self.family} has no essential container")
        for container in self.containers:
            for name, _ in container.conditions:
                if name not in named:
                    raise ValueError(
                        f"container {container.name} of {self.family} depends on {name}, which is not there"
                    )
                if named[name].essential:
                    raise ValueError(
                        f"container {container.name} of {self.family} depends on {name}, which is essential"
                    )
        self.in_order()

    def in_order(self) -> tuple[Container, ...]:
        """List the containers in the one order that their dependencies leave."""
        named = {container.name: container for container in self.containers}
        order = TopologicalSorter({c.name: [name for name, _ in c.depends_on] for c in self.containers})
        try:
            order.prepare()
        except CycleError as cycle:
            raise ValueError(f"the containers of {self.family} wait for each other: {cycle.args[1]}") from cycle
        ordered: list[Container] = []
        while order.is_active():
            ready = order.get_ready()
            if len(ready) > 1:
                raise ValueError(f"the containers {sorted(ready)} of {self.family} would run at the same time")
            order.done(*ready)
            ordered.extend(named[name] for name in ready)
        return tuple(ordered)
