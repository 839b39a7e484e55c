"""Replacing parts of a library for as long as a block runs, and only parts that are there."""

import inspect
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self


class PatchTargetMissing(Exception):
    """The library no longer has what a patch replaces; the message names it."""


class Patches:
    """A context manager that undoes, on exit and in reverse order, every replacement made through it."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def method(self, owner: type, name: str, replacement: Callable[..., Any]) -> Callable[..., Any]:
        """Replace a method that ``owner`` itself defines and return the original one.

        Raises ``PatchTargetMissing`` when the class does not define it, or with other parameters after the instance: a
        method that was renamed or that its callers call differently would otherwise be ignored without a word.
        """
        original = vars(owner).get(name)
        if not inspect.isfunction(original):
            raise PatchTargetMissing(f"{owner.__module__}.{owner.__qualname__} defines no method {name}")
        expected, offered = (list(inspect.signature(function).parameters)[1:] for function in (original, replacement))
        if expected != offered:
            raise PatchTargetMissing(
                f"{owner.__module__}.{owner.__qualname__}.{name} takes {expected}, its replacement takes {offered}"
            )
        self._set(owner, name, original, replacement)
        return original

    def attribute(self, owner: object, name: str, replacement: object) -> None:
        """Replace a module's attribute; raises ``PatchTargetMissing`` when there is none of that name."""
        if name not in vars(owner):
            raise PatchTargetMissing(f"{owner!r} has no attribute {name}")
        self._set(owner, name, vars(owner)[name], replacement)

    def addition(self, owner: type, name: str, method: Callable[..., Any]) -> None:
        """Give a class a method that it does not define itself; raises ``PatchTargetMissing`` when it does."""
        if name in vars(owner):
            raise PatchTargetMissing(f"{owner.__module__}.{owner.__qualname__} defines {name} already")
        setattr(owner, name, method)
        self._undo.callback(delattr, owner, name)

    def _set(self, owner: object, name: str, original: object, replacement: object) -> None:
        setattr(owner, name, replacement)
        self._undo.callback(setattr, owner, name, original)
