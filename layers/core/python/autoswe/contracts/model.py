"""The strict base of every model that crosses a boundary."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Contract(BaseModel):
    """Refuses unknown keys, coercions, NaN and later mutation; a bad field is named with its place."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    def dump(self) -> bytes:
        """Return the model as JSON, the form it crosses a boundary in."""
        return self.model_dump_json(by_alias=True).encode()


Sha = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
"""A git object id: 40 lower-case hexadecimal digits."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest in lower-case hexadecimal."""

Label = Annotated[str, StringConstraints(pattern=r"^T[1-9][0-9]{0,2}$")]
"""A thread's name in one round: T1, T2, … (feedback §4)."""

Path = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
"""A path inside a repository, ``/`` between its parts."""

PositiveInt = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
