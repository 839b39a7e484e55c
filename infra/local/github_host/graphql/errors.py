"""How GitHub's GraphQL answers say that something went wrong: status 200, what data there is, and a list of errors.

Source: "Forming calls with GraphQL", "Rate limits and query limits for the GraphQL API"; the ``type`` words and the
code ``undefinedField`` are those that clients are known to look for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphql import FieldNode, GraphQLError, GraphQLSchema, TypeInfo, TypeInfoVisitor, Visitor, parse, visit

Document = dict[str, Any]


class Refused(GraphQLError):
    """A field that GitHub does not answer; ``kind`` is GitHub's word for the reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def forbidden() -> Refused:
    """Refuse what the token has no permission for."""
    return Refused("FORBIDDEN", "Resource not accessible by integration")


def not_found(message: str) -> Refused:
    """Refuse what does not exist or may not be seen."""
    return Refused("NOT_FOUND", message)


def execution_error(error: GraphQLError) -> Document:
    """Write an error that a field met while the rest was answered."""
    cause = error.original_error if isinstance(error.original_error, Refused) else error
    document: Document = {"type": cause.kind} if isinstance(cause, Refused) else {}
    document |= {"path": error.path, "locations": _locations(error), "message": error.message}
    if document.get("type") == "FORBIDDEN":
        document["extensions"] = {"saml_failure": False}
    return document


def request_errors(schema: GraphQLSchema, text: str, errors: Sequence[GraphQLError]) -> list[Document]:
    """Write the errors of a request that was not executed at all; unknown fields get a code of their own."""
    unknown = _unknown_fields(schema, text) if all(error.nodes for error in errors) else []
    return unknown or [{"locations": _locations(error), "message": error.message} for error in errors]


def undefined_field(type_name: str, field_name: str) -> Document:
    """Write the error of a field that the host's schema does not have."""
    return {
        "path": [field_name],
        "extensions": {"code": "undefinedField", "typeName": type_name, "fieldName": field_name},
        "locations": [{"line": 1, "column": 1}],
        "message": f"Field '{field_name}' doesn't exist on type '{type_name}'",
    }


def only_errors(errors: Sequence[Mapping[str, Any]]) -> Document:
    """Answer without data."""
    return {"errors": list(errors)}


def _locations(error: GraphQLError) -> list[dict[str, int]]:
    return [{"line": place.line, "column": place.column} for place in error.locations or ()]


def _unknown_fields(schema: GraphQLSchema, text: str) -> list[Document]:
    document, types = parse(text), TypeInfo(schema)
    found: list[Document] = []

    class Finder(Visitor):
        """Note every field that its type does not have."""

        def enter_field(self, node: FieldNode, *_: Any) -> None:
            owner = types.get_parent_type()
            if owner is not None and types.get_field_def() is None:
                found.append(undefined_field(owner.name, node.name.value))

    visit(document, TypeInfoVisitor(types, Finder()))
    return found
