"""What a GraphQL operation costs, worked out before it is executed.

Source: "Rate limits and query limits for the GraphQL API". Each connection may hold as many nodes as its ``first`` or
``last`` says, once for every node that it hangs below; the sum over all connections is the number of nodes. Every such
"once" takes one request; the sum of the requests, divided by 100 and rounded to the nearest whole number but at least
1, is what the operation costs.

Counted as if every list were full, every object there and every branch of a fragment taken. Halves are rounded up, a
connection that is asked for a number of items alone takes requests and no nodes, nodes that are named by their ids
count like a list of that length, and ``@skip`` and ``@include`` change
nothing: GitHub does not say, and this is the dearer reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    value_from_ast_untyped,
)

_LISTING = frozenset({"nodes", "edges"})


@dataclass(frozen=True)
class ConnectionCost:
    """One connection: its field, how many requests it takes, and how many nodes those bring at most."""

    field: str
    requests: int
    nodes: int


@dataclass(frozen=True)
class Cost:
    """The connections of an operation."""

    connections: tuple[ConnectionCost, ...]

    @property
    def nodes(self) -> int:
        """How many nodes the operation may bring."""
        return sum(one.nodes for one in self.connections)

    @property
    def requests(self) -> int:
        """How many requests its connections take."""
        return sum(one.requests for one in self.connections)

    @property
    def points(self) -> int:
        """What it costs of the hour's points: at least 1."""
        return max(1, (self.requests + 50) // 100)


NOTHING = Cost(())


def excess(cost: Cost, limit: int) -> str | None:
    """Return GitHub's complaint about an operation that asks for too many nodes, None when it does not."""
    for one in cost.connections:
        if one.nodes > limit:
            return (
                f"By the time this query traverses to the {one.field} connection, it is requesting up to {one.nodes:,} "
                f"possible nodes which exceeds the maximum limit of {limit:,}."
            )
    if cost.nodes > limit:
        return f"This query requests up to {cost.nodes:,} possible nodes which exceeds the maximum limit of {limit:,}."
    return None


def cost_of(
    schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: Mapping[str, Any]
) -> Cost:
    """Work out the cost of an operation of a document that is valid by the schema.

    A connection without bounds counts as one of no nodes: it is refused when it is answered.
    """
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    given = {
        one.variable.name.value: value_from_ast_untyped(one.default_value)
        for one in operation.variable_definitions or ()
        if one.default_value is not None
    } | dict(variables)
    root = schema.mutation_type if operation.operation is OperationType.MUTATION else schema.query_type
    walk = _Walk(schema, fragments, given)
    return Cost(tuple(walk.connections(operation.selection_set, root, 1)))


@dataclass(frozen=True)
class _Walk:
    schema: GraphQLSchema
    fragments: Mapping[str, FragmentDefinitionNode]
    variables: Mapping[str, Any]

    def connections(self, selected: SelectionSetNode, owner: Any, times: int) -> Iterator[ConnectionCost]:
        """List the connections in a selection that stands ``times`` times."""
        for node, parent in self._fields(selected, owner):
            if node.selection_set is None or not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
                continue
            field = parent.fields[node.name.value]
            kind = get_named_type(field.type)
            below = times
            if "ids" in field.args:
                below = times * self._named(node)
                yield ConnectionCost(node.name.value, times, below)
            if kind.name.endswith("Connection") and "first" in field.args:
                names = {one.name.value for one, _ in self._fields(node.selection_set, kind)}
                below = times * self._size(node)
                yield ConnectionCost(node.name.value, times, below if names & _LISTING else 0)
            yield from self.connections(node.selection_set, kind, below)

    def _fields(self, selected: SelectionSetNode, owner: Any) -> Iterator[tuple[FieldNode, Any]]:
        for one in selected.selections:
            if isinstance(one, FieldNode):
                yield one, owner
            elif isinstance(one, FragmentSpreadNode):
                fragment = self.fragments[one.name.value]
                kind = self.schema.type_map[fragment.type_condition.name.value]
                yield from self._fields(fragment.selection_set, kind)
            elif isinstance(one, InlineFragmentNode):
                kind = owner if one.type_condition is None else self.schema.type_map[one.type_condition.name.value]
                yield from self._fields(one.selection_set, kind)

    def _named(self, node: FieldNode) -> int:
        values = [self._value(one) for one in node.arguments or () if one.name.value == "ids"]
        return max((len(value) for value in values if isinstance(value, list)), default=0)

    def _size(self, node: FieldNode) -> int:
        sizes = [self._value(one) for one in node.arguments or () if one.name.value in {"first", "last"}]
        return max((size for size in sizes if isinstance(size, int)), default=0)

    def _value(self, argument: ArgumentNode) -> Any:
        value = argument.value
        return (
            self.variables.get(value.name.value) if isinstance(value, VariableNode) else value_from_ast_untyped(value)
        )
