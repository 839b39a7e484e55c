"""A commit's files: trees, blobs and archives (Get a tree, Get a blob, Download a repository archive (tar))."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, BinaryIO, Literal

from pydantic import StringConstraints, TypeAdapter

from autoswe.contracts.model import Count, Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, Shape
from autoswe.ports.github import MOST_TEXTS, PartialAnswer, Refused
from autoswe.rules.github.facts import Tree, TreeEntry

# A whole tree may have 100,000 entries, each of which comes with its address.
_MOST_TREE_BYTES = 64 << 20
# In base64 with its line breaks four bytes stand for at most three, and a few fields come beside them.
_ENCODED_PER_BYTE = 1.5
_BESIDE_CONTENT = 4096
_MOST_LISTINGS = 500


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


class _Text(GraphqlShape):
    oid: Sha
    text: str | None
    is_truncated: bool


class _Data(GraphqlShape):
    repository: dict[str, _Text | None]


class _Answer(GraphqlShape):
    data: _Data


_TEXTS = TypeAdapter(_Answer)
_TREE = TypeAdapter(_Tree)
_BLOB = TypeAdapter(_Blob)


def blob_id(content: bytes) -> str:
    """Compute the id that git gives to a file's content (Git Internals - Git Objects)."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _below(prefix: str, listing: _Tree) -> Iterator[TreeEntry]:
    """Yield a listing's files and submodules, by their paths from the root."""
    for entry in listing.tree:
        if entry.type != "tree":
            yield TreeEntry(prefix + entry.path, entry.mode, entry.sha, entry.size)


class Objects(Resource):
    """Reads git objects."""

    def tree(self, sha: str) -> Tree:
        """Read a whole tree by a commit's or tree's id, directories left out; submodules are among the entries.

        Where the host cuts the recursive listing off ("Get a tree": 100,000 entries, 7 MB), each folder is read by
        itself, and listed with all below it where that is whole. ``truncated`` says that more than 500 listings
        would be needed, or that a folder's own listing is cut off.
        """
        root = self._listing(sha, recursive=True)
        if not root.truncated:
            return Tree(root.sha, tuple(_below("", root)), truncated=False)
        entries: list[TreeEntry] = []
        listings = 1
        folders = [("", root.sha)]
        while folders:
            prefix, folder = folders.pop()
            alone = self._listing(folder, recursive=False)
            entries += _below(prefix, alone)
            inner = [entry for entry in alone.tree if entry.type == "tree"]
            listings += 1 + len(inner)
            if alone.truncated or listings > _MOST_LISTINGS:
                return Tree(root.sha, tuple(entries), truncated=True)
            for entry in inner:
                whole = self._listing(entry.sha, recursive=True)
                if whole.truncated:
                    folders.append((f"{prefix}{entry.path}/", entry.sha))
                else:
                    entries += _below(f"{prefix}{entry.path}/", whole)
        return Tree(root.sha, tuple(entries), truncated=False)

    def _listing(self, sha: str, *, recursive: bool) -> _Tree:
        asked = {"recursive": 1} if recursive else {}
        return self._api.read(_TREE, "git", "trees", sha, max_bytes=_MOST_TREE_BYTES, **asked)

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


class BlobTexts(Resource):
    """Reads many files at once."""

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        """Read at most ``MOST_TEXTS`` blobs at once, each checked against its id.

        What the host does not tell as text, or not whole, is left out: it is binary, or too long, or not UTF-8.
        """
        asked = {f"s{n}": shas[n] if n < len(shas) else shas[0] for n in range(MOST_TEXTS)}
        found = self._api.query(_TEXTS, "texts", **asked).data.repository
        contents: dict[str, bytes] = {}
        for blob in found.values():
            if blob is None or blob.text is None or blob.is_truncated:
                continue
            content = blob.text.encode("utf-8", "surrogatepass")
            if blob_id(content) == blob.oid:
                contents[blob.oid] = content
        return contents
