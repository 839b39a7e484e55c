"""Answers about nodes that were asked for by their global ids."""

from typing import TypeVar

from pydantic import JsonValue, TypeAdapter

from autoswe.github.transport.shape import GraphqlShape, Unreadable, read_shape


class Node(GraphqlShape):
    """One node; its kind adds what is asked of it."""

    id: str


N = TypeVar("N", bound=Node)


class _Nodes(GraphqlShape):
    nodes: list[JsonValue]


class _Answer(GraphqlShape):
    data: _Nodes


_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
NODES = TypeAdapter(_Answer)
"""A whole answer, its nodes in the order of the ids."""


def read_node(shape: TypeAdapter[N], node: JsonValue, node_id: str) -> N | None:
    """Read the node that was asked for; ``None`` for one that the host leaves out or that cannot be understood."""
    try:
        # Each is read for itself, so that one which cannot be understood spoils no other.
        read = read_shape(shape, _JSON.dump_json(node))
    except Unreadable:
        return None
    return read if read.id == node_id else None
