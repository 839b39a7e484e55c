"""A commit's files: trees, blobs and archives (Get a tree, Get a blob, Download a repository archive (tar))."""

import base64
import binascii
import hashlib
from typing import Annotated, BinaryIO, Literal

from pydantic import StringConstraints, TypeAdapter

from autoswe.contracts.model import Count, Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import PartialAnswer, Refused
from autoswe.rules.github.facts import Tree, TreeEntry

# A whole tree may have 100,000 entries, each of which comes with its address.
_MOST_TREE_BYTES = 64 << 20
# In base64 with its line breaks four bytes stand for at most three, and a few fields come beside them.
_ENCODED_PER_BYTE = 1.5
_BESIDE_CONTENT = 4096


class _Entry(Shape):
    path: str
    mode: Annotated[str, StringConstraints(pattern="^[0-7]{6}$")]
    type: Literal["blob", "tree", "commit"]
    sha: Sha
    size: Count | None = None


class _Tree(Shape):
    sha: Sha
    tree: list[_Entry]
    truncated: bool


class _Blob(Shape):
    content: str
    encoding: Literal["base64"]
    size: Count


_TREE = TypeAdapter(_Tree)
_BLOB = TypeAdapter(_Blob)


def blob_id(content: bytes) -> str:
    """Compute the id that git gives to a file's content (Git Internals - Git Objects)."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class Objects(Resource):
    """Reads git objects."""

    def tree(self, sha: str) -> Tree:
        """Read a whole tree by a commit's or tree's id, directories left out; submodules are among the entries."""
        read = self._api.read(_TREE, "git", "trees", sha, max_bytes=_MOST_TREE_BYTES, recursive=1)
        entries = tuple(
            TreeEntry(entry.path, entry.mode, entry.sha, entry.size) for entry in read.tree if entry.type != "tree"
        )
        return Tree(read.sha, entries, read.truncated)

    def blob(self, sha: str, max_bytes: int) -> bytes:
        """Read one blob and check it against its id; ``Refused`` above the cap."""
        encoded_bytes = int(max_bytes * _ENCODED_PER_BYTE) + _BESIDE_CONTENT
        read = self._api.read(_BLOB, "git", "blobs", sha, max_bytes=encoded_bytes)
        if read.size > max_bytes:
            raise Refused(f"blob {sha}: it has {read.size} bytes, {max_bytes} are allowed")
        try:
            content = base64.b64decode(read.content)
        except binascii.Error:
            raise PartialAnswer(f"blob {sha}: its content is not base64") from None
        if blob_id(content) != sha:
            raise PartialAnswer(f"blob {sha}: what came has another id")
        return content


class Archives(Resource):
    """Reads whole commits at once."""

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        """Stream a commit's archive (gzipped tar) into an empty file; ``Refused`` above the cap.

        The archive honours the repository's own export attributes, so it is not the tree.
        """
        self._api.download("tarball", commit_sha, into=into, max_bytes=max_bytes)
