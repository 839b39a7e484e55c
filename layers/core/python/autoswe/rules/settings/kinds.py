"""The kinds of value that a setting can have: which values are allowed, and how a person writes them (feedback §6).

This module is on the webhook's path: it imports the standard library only.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

V_co = TypeVar("V_co", covariant=True)

LARGEST_ACCOUNT_ID = 2**53 - 1
"""Account ids travel as JSON numbers: up to here every reader keeps them exact."""

MOST_PATTERNS = 100

# Compiled at their first use: the webhook only ever reads a switch.
_WHOLE = r"-?[0-9]{1,18}"
_PATTERN = r"[^\s\x00-\x20\x7f~^:?\[\\]{1,255}"
"""What a branch's name holds, and ``*``, which none holds (git: "git-check-ref-format")."""


class Kind(ABC, Generic[V_co]):
    """One kind of value."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """Say in a few words what is allowed."""

    @abstractmethod
    def read(self, value: object) -> V_co | None:
        """Return the value as it is used, or ``None`` when it is not allowed."""

    def parse(self, written: str) -> object:
        """Return what a person's writing means; what means nothing here stays as it is, and ``read`` refuses it."""
        return written

    def show(self, value: object) -> str:
        """Write a value as ``parse`` understands it."""
        return str(value)

    def join(self, values: Sequence[V_co]) -> V_co:
        """Make one value of those of several scopes, the most specific first: that one, unless a kind knows better."""
        return values[0]


class OnOff(Kind[bool]):
    """A switch."""

    @property
    def allowed(self) -> str:
        """Name the two positions."""
        return "on or off"

    def read(self, value: object) -> bool | None:
        """Take truth and nothing that merely resembles it."""
        return value if isinstance(value, bool) else None

    def parse(self, written: str) -> object:
        """Understand ``on`` and ``off``."""
        return {"on": True, "off": False}.get(written, written)

    def show(self, value: object) -> str:
        """Write ``on`` or ``off``."""
        return "on" if value is True else "off" if value is False else str(value)


@dataclass(frozen=True)
class Whole(Kind[int]):
    """A whole number from ``least`` to ``most``, both included."""

    least: int
    most: int

    @property
    def allowed(self) -> str:
        """Name the bounds."""
        return f"a whole number from {self.least} to {self.most}"

    def read(self, value: object) -> int | None:
        """Take a number within the bounds; truth is no number."""
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if self.least <= value <= self.most else None

    def parse(self, written: str) -> object:
        """Understand decimal digits."""
        return int(written) if re.fullmatch(_WHOLE, written) else written


@dataclass(frozen=True)
class Choice(Kind[str]):
    """One of several words."""

    options: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """Name the words."""
        return f"one of {', '.join(self.options)}"

    def read(self, value: object) -> str | None:
        """Take one of the words, spelt exactly so."""
        return value if isinstance(value, str) and value in self.options else None


class _Listed(Kind[tuple[V_co, ...]]):
    """What a person writes with commas between the elements; nothing written is an empty list."""

    def parse(self, written: str) -> object:
        """Take the writing apart at its commas."""
        return [self.parse_element(part.strip()) for part in written.split(",") if part.strip()]

    def parse_element(self, written: str) -> object:
        """Return what the writing of one element means."""
        return written

    def show(self, value: object) -> str:
        """Write the elements with commas between them."""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True)
class AccountIds(_Listed[int]):
    """A list of at most ``most`` numeric account ids."""

    most: int

    @property
    def allowed(self) -> str:
        """Name the bound."""
        return f"a list of at most {self.most} numeric account ids"

    def read(self, value: object) -> tuple[int, ...] | None:
        """Take a list of positive whole numbers."""
        if not isinstance(value, list | tuple) or len(value) > self.most:
            return None
        ids = Whole(1, LARGEST_ACCOUNT_ID)
        read = tuple(number for element in value if (number := ids.read(element)) is not None)
        return read if len(read) == len(value) else None

    def parse_element(self, written: str) -> object:
        """Understand decimal digits."""
        return int(written) if re.fullmatch(_WHOLE, written) else written


class BranchPatterns(_Listed[str]):
    """A list of branch names, in which ``*`` stands for any characters, ``/`` among them."""

    @property
    def allowed(self) -> str:
        """Name what an element may be."""
        return f"a list of at most {MOST_PATTERNS} branch names, in which * stands for any characters"

    def read(self, value: object) -> tuple[str, ...] | None:
        """Take a list of what may be a branch's name, or one with ``*`` in it."""
        if not isinstance(value, list | tuple) or len(value) > MOST_PATTERNS:
            return None
        read = tuple(pattern for pattern in value if isinstance(pattern, str) and re.fullmatch(_PATTERN, pattern))
        return read if len(read) == len(value) else None

    def join(self, values: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Take the patterns of all scopes, each once."""
        return tuple(dict.fromkeys(pattern for value in values for pattern in value))
