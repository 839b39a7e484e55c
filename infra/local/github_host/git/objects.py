"""Git objects as values, and how a commit's text is read and written."""

import base64
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

_ARMOUR = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"


@dataclass(frozen=True)
class GitObject:
    """What the object database says of a name: the object's id, type and content."""

    sha: str
    type: str
    content: bytes


@dataclass(frozen=True)
class TreeEntry:
    """One line of a tree; ``size`` is in bytes and known for blobs alone."""

    path: str
    mode: str
    type: str
    sha: str
    size: int | None = None


@dataclass(frozen=True)
class Signature:
    """Who did it and when, as a commit records it."""

    name: str
    email: str
    at: datetime

    def __str__(self) -> str:
        return f"{self.name} <{self.email}> {int(self.at.timestamp())} +0000"

    @classmethod
    def parse(cls, text: str) -> "Signature":
        """Read ``name <email> seconds zone``."""
        person, seconds, _ = text.rsplit(" ", 2)
        name, _, email = person.partition("<")
        return cls(name.strip(), email.rstrip(">"), datetime.fromtimestamp(int(seconds), UTC))


@dataclass(frozen=True)
class Commit:
    """A commit; ``armour`` is the text of its signature block, None when it carries none."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str
    armour: str | None = None

    @property
    def payload(self) -> str:
        """The text that a signature is made over."""
        return commit_text(self.tree, self.parents, self.author, self.committer, self.message)

    @property
    def signed_by_host(self) -> bool:
        """Whether this host made the signature over exactly this commit."""
        return self.armour is not None and self.armour == host_signature(self.payload)


def commit_text(
    tree: str,
    parents: tuple[str, ...],
    author: Signature,
    committer: Signature,
    message: str,
    *,
    signed: bool = False,
) -> str:
    """Write the text of a commit object; ``signed`` adds this host's signature as a header."""
    header = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    header += [f"author {author}", f"committer {committer}"]
    text = "\n".join(header) + f"\n\n{message}"
    if not signed:
        return text
    armour = host_signature(text).replace("\n", "\n ")
    return "\n".join([*header, f"gpgsig {armour}"]) + f"\n\n{message}"


def host_signature(payload: str) -> str:
    """Make the armoured block that stands for GitHub's web-flow signature over a payload.

    It is a digest, not a signature: what matters is that changing the commit breaks it.
    """
    digest = base64.b64encode(hashlib.sha512(payload.encode()).digest()).decode()
    return "\n".join((_ARMOUR[0], "", digest, _ARMOUR[1]))


def parse_commit(sha: str, content: bytes) -> Commit:
    """Read a commit object; folded headers other than the signature are passed over."""
    header, _, message = content.decode(errors="replace").partition("\n\n")
    fields: dict[str, list[str]] = {}
    last: list[str] = []
    for line in header.split("\n"):
        if line.startswith(" "):
            last[-1] += "\n" + line[1:]
        else:
            name, _, value = line.partition(" ")
            last = fields.setdefault(name, [])
            last.append(value)
    return Commit(
        sha=sha,
        tree=fields["tree"][0],
        parents=tuple(fields.get("parent", ())),
        author=Signature.parse(fields["author"][0]),
        committer=Signature.parse(fields["committer"][0]),
        message=message,
        armour=fields["gpgsig"][0] if "gpgsig" in fields else None,
    )
