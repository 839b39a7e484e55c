"""The values that the files of a review are made of, each with its bounds (review §18)."""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints

from autoswe.contracts.model import Contract
from autoswe.rules.text.strict_json import LARGEST_INTEGER

KIB = 1024
MIB = 1024 * KIB


def _utc(moment: datetime) -> datetime:
    if moment.utcoffset() != timedelta(0):
        raise ValueError("should be in UTC")
    return moment


def _at_most_bytes(limit: int) -> AfterValidator:
    def judge(text: str) -> str:
        if len(text.encode()) > limit:
            raise ValueError(f"should have at most {limit} bytes")
        return text

    return AfterValidator(judge)


class Document(Contract):
    """A file, which begins with the version of its shape."""

    schema_version: Literal[1] = Field(alias="schema")


Moment = Annotated[AwareDatetime, AfterValidator(_utc)]
"""A time in UTC."""

_SLUG = "[A-Za-z0-9_.-]{1,100}"
Org = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,100}$")]
RepoName = Annotated[str, StringConstraints(pattern=f"^{_SLUG}$")]
Repository = Annotated[str, StringConstraints(pattern=f"^{_SLUG}/{_SLUG}$")]
"""A repository's full name."""

PullNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
PullLabel = Annotated[str, StringConstraints(pattern=f"^{_SLUG}/{_SLUG}#[1-9][0-9]{{0,9}}$")]
"""A pull request as ``owner/repo#N``."""

EntryKey = Annotated[str, StringConstraints(pattern=f"^{_SLUG}-[1-9][0-9]{{0,9}}$")]
"""What names everything of one entry: ``<repo_name>-<number>``."""

Address = Annotated[
    str, StringConstraints(pattern=r"^https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?/[A-Za-z0-9_./#-]{1,500}$")
]
"""A page on the host."""

MAX_TITLE_CHARACTERS = 1_024
Title = Annotated[str, StringConstraints(max_length=MAX_TITLE_CHARACTERS)]
Login = Annotated[str, StringConstraints(min_length=1, max_length=100)]
HostWord = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]{1,50}$")]
"""A word of the host's own, from a list that may grow."""

Ref = Annotated[str, StringConstraints(min_length=1, max_length=1_024)]
KibText64 = Annotated[str, StringConstraints(max_length=64 * KIB), _at_most_bytes(64 * KIB)]
KibText4 = Annotated[str, StringConstraints(max_length=4 * KIB), _at_most_bytes(4 * KIB)]
Count = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]
Amount = Annotated[int, Field(ge=0, le=10**12)] | Annotated[float, Field(ge=0, le=10**12)]
"""A quantity, whole or not."""
