"""Makes git objects and moves refs (REST API endpoints for Git database; Mutations: updateRefs)."""

import base64
from collections.abc import Iterator, Sequence

from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.git.branches import Refs
from autoswe.github.git.source import blob_id
from autoswe.github.transport.graphql import Unsupported
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, Shape
from autoswe.ports.github import NewEntry, PartialAnswer, Refused

_NO_SUCH_REF = "Reference does not exist"

MOST_INLINE_BYTES = 1 << 20
"""How long a text may be that travels in its tree's request; a longer one is stored as a blob first."""

MOST_BYTES_OF_A_TREE = 4 << 20
"""How much text one request for a tree carries."""


class _Made(Shape):
    sha: Sha


class _MadeCommit(_Made):
    tree: _Made
    parents: list[_Made]


class _Verification(Shape):
    verified: bool


class _VerifiedCommit(_Made):
    verification: _Verification


class _MadeRef(Shape):
    ref: str


class _Moved(GraphqlShape):
    update_refs: dict[str, JsonValue]


class _MovedAnswer(GraphqlShape):
    data: _Moved


_MADE = TypeAdapter(_Made)
_MADE_COMMIT = TypeAdapter(_MadeCommit)
_VERIFIED_COMMIT = TypeAdapter(_VerifiedCommit)
_MADE_REF = TypeAdapter(_MadeRef)
_MOVED = TypeAdapter(_MovedAnswer)


class NewObjects(Resource):
    """Stores git objects; until a ref leads to them nobody sees them."""

    def _make_blob(self, content: bytes) -> str:
        body: JsonValue = {"content": base64.b64encode(content).decode(), "encoding": "base64"}
        sha = self._api.write(_MADE, "POST", "git", "blobs", body=body).sha
        if sha != blob_id(content):
            raise PartialAnswer(f"blob {sha} was made, which is not the content's id")
        return sha

    def make_tree(self, base_tree: str, entries: Sequence[NewEntry]) -> str:
        """Store a tree that differs from ``base_tree`` by these files and return its id.

        Texts travel in the tree's own request, as many as it may hold; what cannot be written as JSON's text, or is
        longer than a file in it may be, is stored as a blob first. ``Refused`` when a path to delete is not there;
        ``Forbidden`` when a workflow file is among the entries.
        """
        tree = base_tree
        # What is taken away makes room for what is put there.
        for batch in _batches(sorted(entries, key=lambda entry: entry.content is not None)):
            listed: list[JsonValue] = [
                {"path": entry.path, "mode": entry.mode, "type": "blob", **self._content(entry)} for entry in batch
            ]
            tree = self._api.write(_MADE, "POST", "git", "trees", body={"base_tree": tree, "tree": listed}).sha
        return tree

    def _content(self, entry: NewEntry) -> dict[str, JsonValue]:
        if entry.content is None:
            return {"sha": None}
        text = _inline(entry.content)
        return {"sha": self._make_blob(entry.content)} if text is None else {"content": text}

    def make_commit(self, message: str, tree: str, parent: str) -> str:
        """Store a commit by our bot and return its id.

        It names neither author nor committer: only then the host signs it as the bot's.
        """
        body: JsonValue = {"message": message, "tree": tree, "parents": [parent]}
        made = self._api.write(_MADE_COMMIT, "POST", "git", "commits", body=body)
        if made.tree.sha != tree or [commit.sha for commit in made.parents] != [parent]:
            raise PartialAnswer(f"commit {made.sha} was made with another tree or other parents")
        return made.sha

    def is_signed(self, commit_sha: str) -> bool:
        """Say whether the host vouches for a commit's signature (Get a commit object)."""
        read = self._api.read(_VERIFIED_COMMIT, "git", "commits", commit_sha)
        if read.sha != commit_sha:
            raise PartialAnswer(f"commit {commit_sha} was asked for, {read.sha} came")
        return read.verification.verified


def _inline(content: bytes) -> str | None:
    if len(content) > MOST_INLINE_BYTES or b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _batches(entries: Sequence[NewEntry]) -> Iterator[Sequence[NewEntry]]:
    """Cut entries into what one request may hold of their content."""
    batch: list[NewEntry] = []
    size = 0
    for entry in entries:
        length = len(entry.content or b"")
        if batch and size + length > MOST_BYTES_OF_A_TREE:
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += length
    if batch:
        yield batch


class MovableRefs(Refs):
    """Reads refs, and creates, moves and deletes them."""

    def make_ref(self, name: str, sha: str) -> None:
        """Create a ref; ``Refused`` when it exists."""
        self._api.write(_MADE_REF, "POST", "git", "refs", body={"ref": f"refs/{name}", "sha": sha})

    def drop_ref(self, name: str) -> None:
        """Delete a ref; one that is gone already is no error."""
        try:
            self._api.delete("git", "refs", name)
        except Refused as error:
            if _NO_SUCH_REF not in str(error):
                raise

    def move_ref(self, repository_node_id: str, name: str, before: str, after: str) -> None:
        """Move a ref from ``before`` to ``after``, never by force; ``Refused`` when it is elsewhere.

        ``Unavailable`` when the host's answer leaves open whether it moved.
        A host without this mutation compares and moves in two requests: the second still only goes forward.
        """
        update: JsonValue = {"name": f"refs/{name}", "beforeOid": before, "afterOid": after, "force": False}
        try:
            self._api.mutate(_MOVED, "update_refs", repositoryId=repository_node_id, refUpdates=[update])
        except Unsupported:
            if self.ref(name) != before:
                raise Refused(f"ref {name} is no longer at {before}") from None
            self._api.write(_MADE_REF, "PATCH", "git", "refs", name, body={"sha": after, "force": False})
