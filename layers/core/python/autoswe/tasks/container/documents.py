"""JSON documents as contracts."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from autoswe.tasks.container.failure import TaskFailed

M = TypeVar("M", bound=BaseModel)


def parse(model: type[M], body: bytes, name: str) -> M:
    """Read ``body`` as ``model``; ``TaskFailed`` says which field of the document called ``name`` is wrong.

    The message repeats no value: a document may hold addresses that are credentials, or text nobody has screened.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the top"
        raise TaskFailed(f"{name} is not as agreed: {first['type']} at {place[:200]!r}") from None
