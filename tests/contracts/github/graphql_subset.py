"""Cut GitHub's GraphQL schema down to what documents touch; what is left can still be executed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from graphql import (
    FieldNode,
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    InlineFragmentNode,
    TypeInfo,
    TypeInfoVisitor,
    VariableDefinitionNode,
    Visitor,
    build_schema,
    get_named_type,
    parse,
    print_ast,
    specified_scalar_types,
    type_from_ast,
    validate,
    visit,
)


def cut(schema_text: str, documents: Iterable[str]) -> str:
    """Return the schema language of the types, fields and inputs that the documents use.

    Raises ValueError when a document does not fit the schema.
    """
    schema = build_schema(schema_text, assume_valid=True)
    used = _Used(schema)
    for text in documents:
        document = parse(text)
        errors = validate(schema, document)
        if errors:
            raise ValueError(f"a document does not fit GitHub's schema: {errors[0]}")
        types = TypeInfo(schema)
        visit(document, TypeInfoVisitor(types, _Collector(used, types)))
    used.close()
    return used.print()


class _Used:
    """The names of the types that are kept, and of the fields of each."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self.schema = schema
        self.fields: defaultdict[str, set[str]] = defaultdict(set)
        self.inputs: set[str] = set()

    def add_input(self, reference: Any) -> None:
        """Keep an input type with all it contains."""
        kept = get_named_type(reference)
        if kept.name in self.inputs:
            return
        self.inputs.add(kept.name)
        if isinstance(kept, GraphQLInputObjectType):
            for field in kept.fields.values():
                self.add_input(field.type)

    def add_field(self, owner: str, name: str, field: GraphQLField) -> None:
        """Keep a field, its type and its arguments."""
        self.fields[owner].add(name)
        self.fields[get_named_type(field.type).name].update()
        for argument in field.args.values():
            self.add_input(argument.type)

    def close(self) -> None:
        """Give every kept composite type a field, and every type the fields of its kept interfaces."""
        for name in list(self.fields):
            kept = self.schema.type_map[name]
            # Everything is a Node; who asks for one says which kinds it means.
            if isinstance(kept, GraphQLInterfaceType) and name != "Node":
                for possible in self.schema.get_possible_types(kept):
                    self.fields[possible.name].update()
        for name in list(self.fields):
            kept = self.schema.type_map[name]
            if isinstance(kept, GraphQLObjectType | GraphQLInterfaceType):
                for interface in kept.interfaces:
                    self.fields[name] |= self.fields.get(interface.name, set())
                if not self.fields[name]:
                    self.fields[name].add("id" if "id" in kept.fields else next(iter(kept.fields)))
                for field in self.fields[name]:
                    self.fields[get_named_type(kept.fields[field].type).name].update()

    def print(self) -> str:
        """Write the kept types in the order of their names."""
        names = sorted({*self.fields, *self.inputs} - set(specified_scalar_types))
        return "\n".join(["schema { query: Query mutation: Mutation }", *map(self._print_type, names)]) + "\n"

    def _print_type(self, name: str) -> str:
        kept = self.schema.type_map[name]
        match kept:
            case GraphQLScalarType():
                return f"scalar {name}"
            case GraphQLEnumType():
                return f"enum {name} {{ {' '.join(kept.values)} }}"
            case GraphQLUnionType():
                members = [member.name for member in kept.types if member.name in self.fields]
                return f"union {name} = {' | '.join(members)}"
            case GraphQLInputObjectType():
                fields = [f"{key}: {field.type}{_default(field)}" for key, field in kept.fields.items()]
                return f"input {name} {{ {' '.join(fields)} }}"
            case GraphQLObjectType() | GraphQLInterfaceType():
                return self._print_composite(kept)
        raise TypeError(f"{name} is no kind of type that GitHub has")

    def _print_composite(self, kept: GraphQLObjectType | GraphQLInterfaceType) -> str:
        keyword = "type" if isinstance(kept, GraphQLObjectType) else "interface"
        interfaces = [one.name for one in kept.interfaces if one.name in self.fields]
        implements = f" implements {' & '.join(interfaces)}" if interfaces else ""
        named = [(name, kept.fields[name]) for name in sorted(self.fields[kept.name])]
        fields = [f"{name}{_arguments(field)}: {field.type}" for name, field in named]
        return f"{keyword} {kept.name}{implements} {{ {' '.join(fields)} }}"


class _Collector(Visitor):
    """Walk a document and note what it uses."""

    def __init__(self, used: _Used, types: TypeInfo) -> None:
        super().__init__()
        self._used = used
        self._types = types

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        """Note a field."""
        owner, field = self._types.get_parent_type(), self._types.get_field_def()
        if owner is not None and field is not None and not node.name.value.startswith("__"):
            self._used.add_field(owner.name, node.name.value, field)

    def enter_inline_fragment(self, node: InlineFragmentNode, *_: Any) -> None:
        """Note a type that a fragment asks for."""
        if node.type_condition is not None:
            self._used.fields[node.type_condition.name.value].update()

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: Any) -> None:
        """Note a variable's type."""
        self._used.add_input(type_from_ast(self._used.schema, node.type))


def _arguments(field: GraphQLField) -> str:
    listed = ", ".join(f"{name}: {argument.type}{_default(argument)}" for name, argument in field.args.items())
    return f"({listed})" if listed else ""


def _default(value: GraphQLArgument | GraphQLInputField) -> str:
    written = None if value.default is None else value.default.literal
    return "" if written is None else f" = {print_ast(written)}"
