"""The table as adapters reach it, and how patiently they ask it again."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


class Contended(Exception):
    """The table kept refusing: rivals wrote the same rows, or capacity was short. Asking again later can help."""


@dataclass(frozen=True)
class Table:
    """The table's name, and its client, which is built when it is first asked for."""

    name: str
    client: Callable[[], Any]


@dataclass(frozen=True)
class Backoff:
    """How often a refused call is made again, and after how many seconds each time: at most 1.55 s in all.

    ``wait`` lets seconds pass; ``jitter`` gives a number from 0 to 1 that spreads rivals apart.
    """

    wait: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    pauses: tuple[float, ...] = (0.05, 0.1, 0.2, 0.4, 0.8)

    def attempts(self) -> Iterator[None]:
        """Yield once for each attempt, letting time pass in between; half of each pause is left to chance."""
        yield
        for pause in self.pauses:
            self.wait(pause * (1 + self.jitter()) / 2)
            yield
