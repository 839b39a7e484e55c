"""What every capability asks of a host, and how a call to it fails."""

from collections.abc import Mapping, Sequence
from typing import BinaryIO, Protocol

from autoswe.rules.github.facts import Tree


class HostError(Exception):
    """A call to the host that has no good answer; subclasses say whether asking again can help."""


class Gone(HostError):
    """The thing asked for does not exist, or not for us (404, 410)."""


class NotYet(HostError):
    """What was just written does not show yet, or a try of the same write may still come to light: ask again soon."""


class Forbidden(HostError):
    """The host understood and refuses (401, 403); to a fresh token, or in a bad moment, it may relent in a minute."""


class Barred(Forbidden):
    """The host refuses for good: a conversation is locked, a repository archived or blocked by law (403, 451)."""


class Refused(HostError):
    """The host rejects this very write (409, 422); ``reason`` is its message."""


class RuleBroken(Refused):
    """A rule of the repository or a protected branch forbids the write, in the host's own words."""


class RateLimited(HostError):
    """The host asks to wait longer than a call may; the workflow retries."""


class Unavailable(HostError):
    """The host did not answer, or answered that it could not (5xx, a broken connection); the effect is unknown."""


class PartialAnswer(HostError):
    """The host gave a part, or something that cannot be understood: never taken for the whole."""


class NewEntry(Protocol):
    """One file of a tree to make; without ``content`` its path is deleted."""

    @property
    def path(self) -> str:
        """The path from the root."""
        ...

    @property
    def mode(self) -> str:
        """Git's six octal digits."""
        ...

    @property
    def content(self) -> bytes | None:
        """The file's bytes."""
        ...


MOST_TEXTS = 50
"""How many texts are asked for at once."""


class SourceHost(Protocol):
    """Whoever tells of a commit's tree, its archive and its blobs.

    A fork's commits are read through the repository that the pull request goes to.
    """

    def tree(self, commit_sha: str) -> Tree:
        """Read a commit's whole tree."""
        ...

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        """Stream a commit's archive; raises ``Refused`` above the cap."""
        ...

    def blob(self, sha: str, max_bytes: int) -> bytes:
        """Read one blob; raises ``Refused`` above the cap."""
        ...

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        """Read at most ``MOST_TEXTS`` blobs at once; what is no text, or too long to be told so, is left out."""
        ...
