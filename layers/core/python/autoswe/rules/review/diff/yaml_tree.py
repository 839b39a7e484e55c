"""Reads a YAML file the one way in which all readers agree, and refuses the rest (review §8.2).

Every scalar stays text, so ``on`` is a word. Readers differ about repeated keys, merge keys, tags, several documents
and unusual line ends; aliases can make a small file huge. None of these is needed in a workflow, and each is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml

MAX_CHARACTERS = 262_144
MAX_DEPTH = 64
MAX_NODES = 100_000
"""How many nodes a tree may have, those that an alias repeats counted each time."""

Tree: TypeAlias = str | list["Tree"] | dict[str, "Tree"]
"""A scalar's text, a list, or a mapping in the file's order."""

_ODD_BREAKS = ("\u0085", "\u2028", "\u2029")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The text is no YAML that all readers agree on; ``reason`` says why, to stand after "because"."""

    reason: str


def read_yaml(text: str) -> Tree | Unreadable:
    """Read a text as one YAML document within the bounds above; an empty text is an empty scalar."""
    if len(text) > MAX_CHARACTERS:
        return Unreadable(f"it is longer than {MAX_CHARACTERS} characters")
    if any(odd in text for odd in _ODD_BREAKS) or "\r" in text.replace("\r\n", "\n"):
        return Unreadable("it holds a line end that not every reader takes for one")
    try:
        return _Builder(yaml.parse(text, Loader=yaml.CBaseLoader)).document()
    except (yaml.YAMLError, UnicodeError):
        return Unreadable("it is no valid YAML")
    except _Refused as refused:
        return Unreadable(str(refused))


def scalars(tree: Tree) -> Iterator[str]:
    """Give every key and scalar of a tree, in no particular order."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, list):
            left.extend(node)
        else:
            yield from node
            left.extend(node.values())


class _Refused(Exception):
    """The document is outside what all readers agree on."""


class _Builder:
    """Builds a tree from a parser's events, counting as it goes."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._nodes = 0
        self._anchored: dict[str, tuple[Tree, int]] = {}

    def document(self) -> Tree:
        tree: Tree = ""
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
            elif isinstance(event, yaml.NodeEvent):
                tree = self._node(event, 1)
        if documents > 1:
            raise _Refused("it holds several documents")
        return tree

    def _node(self, event: yaml.Event, depth: int) -> Tree:
        if isinstance(event, yaml.AliasEvent):
            return self._repeated(event.anchor)
        before = self._nodes
        self._count(1)
        if depth > MAX_DEPTH:
            raise _Refused(f"it is nested more than {MAX_DEPTH} deep")
        if getattr(event, "tag", None) is not None:
            raise _Refused("it holds a tag")
        tree = self._content(event, depth)
        anchor = getattr(event, "anchor", None)
        if anchor is not None:
            self._anchored[anchor] = (tree, self._nodes - before)
        return tree

    def _content(self, event: yaml.Event, depth: int) -> Tree:
        if isinstance(event, yaml.ScalarEvent):
            return event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return [self._node(each, depth + 1) for each in self._until(yaml.SequenceEndEvent)]
        mapping: dict[str, Tree] = {}
        for each in self._until(yaml.MappingEndEvent):
            key = self._node(each, depth + 1)
            if not isinstance(key, str):
                raise _Refused("a key is no plain word")
            if key in mapping:
                raise _Refused("a key is given twice")
            if key == "<<":
                raise _Refused("it holds a merge key")
            mapping[key] = self._node(next(self._events), depth + 1)
        return mapping

    def _until(self, end: type[yaml.Event]) -> Iterator[yaml.Event]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _repeated(self, anchor: str | None) -> Tree:
        if anchor is None or anchor not in self._anchored:
            raise _Refused("an alias repeats what is not finished before it")
        tree, nodes = self._anchored[anchor]
        self._count(nodes)
        return tree

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise _Refused(f"it holds more than {MAX_NODES} nodes")
