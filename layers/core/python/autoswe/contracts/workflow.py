"""What a workflow begins with and keeps of its steps: their answers, and what a Catch recorded."""

from typing import Generic, TypeVar

from pydantic import ConfigDict, Field

from autoswe.contracts.model import Contract, PositiveInt

T = TypeVar("T", bound=Contract)


class Returned(Contract, Generic[T]):
    """A step's answer as the workflow keeps it."""

    value: T


class Failure(Contract):
    """What a ``Catch`` recorded; the names are Step Functions' own."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    error: str = Field(alias="Error")
    cause: str = Field(alias="Cause", default="")


class RoundInput(Contract):
    """An execution's input: identifiers only. Facts come from the records it names (architecture §3)."""

    connection: str
    repository: str
    pull_number: PositiveInt
    decision_id: str
