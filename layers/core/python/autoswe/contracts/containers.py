"""What the manifests of every container are made of, and which agents a container may run (architecture §5)."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.model import Contract, PositiveInt

MAX_TOKENS = 10**12
"""More tokens than that in one run are no count but an error or a lie."""

Command = Annotated[tuple[Annotated[str, StringConstraints(min_length=1, max_length=4096)], ...], Field(min_length=1)]
"""A program and its arguments; never a shell line."""


class Download(Contract):
    """A presigned GET of one object version, with what the content must hash to."""

    url: str
    reference: ArtifactReference


class Upload(Contract):
    """A presigned create-only PUT.

    ``headers`` were signed and must be sent as they stand; ``max_bytes`` bounds the body.
    """

    url: str
    headers: dict[str, str]
    max_bytes: PositiveInt


AgentName = Literal["suggestions", "copilot", "claude", "codex", "command"]
"""The adapters a deployment can name; all but the first run a program that may ask a model."""


WITHOUT_MODEL: AgentName = "suggestions"
"""The adapter that only applies what reviewers wrote out."""


class Usage(Contract):
    """What the agent's run cost, as far as it says so: hostile numbers, bounded."""

    input_tokens: Annotated[int, Field(ge=0, le=MAX_TOKENS)] = 0
    output_tokens: Annotated[int, Field(ge=0, le=MAX_TOKENS)] = 0
