"""Reads an answer's bytes into the few fields we rely on."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Shape(BaseModel):
    """What is read from an answer: a needed field that is missing or mistyped is refused, others are not looked at."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class GraphqlShape(Shape):
    """The same for GraphQL, which spells names in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class PageInfo(GraphqlShape):
    """Whether a GraphQL list goes on, and after what; the documents ask for the cursor only where they page."""

    has_next_page: bool
    end_cursor: str | None = None


class Unreadable(ValueError):
    """An answer is not JSON, or a needed field is missing or mistyped; the message names the place, never the value."""


def read_shape(shape: TypeAdapter[T], content: bytes) -> T:
    """Read JSON as ``shape``; raises ``Unreadable`` and gives away nothing of the content."""
    try:
        return shape.validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole answer"
        # The original error quotes the answer, which may hold a token.
        raise Unreadable(f"{place}: {first['msg']}") from None
