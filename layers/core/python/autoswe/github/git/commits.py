"""Makes git objects and moves refs (REST API endpoints for Git database; Mutations: updateRefs)."""

import base64
from collections.abc import Sequence

from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.git.branches import Refs
from autoswe.github.git.source import blob_id
from autoswe.github.transport.graphql import Unsupported
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, Shape
from autoswe.ports.github import NewEntry, PartialAnswer, Refused

_ENTRY_TYPES = {"040000": "tree", "160000": "commit"}
_NO_SUCH_REF = "Reference does not exist"


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

    def make_blob(self, content: bytes) -> str:
        """Store a blob and return its id."""
        body: JsonValue = {"content": base64.b64encode(content).decode(), "encoding": "base64"}
        sha = self._api.write(_MADE, "POST", "git", "blobs", body=body).sha
        if sha != blob_id(content):
            raise PartialAnswer(f"blob {sha} was made, which is not the content's id")
        return sha

    def make_tree(self, base_tree: str, entries: Sequence[NewEntry]) -> str:
        """Store a tree that differs from ``base_tree`` by these entries and return its id.

        ``Refused`` when a path to delete is not there; ``Forbidden`` when a workflow file is among the entries.
        """
        tree: list[JsonValue] = [
            {
                "path": entry.path,
                "mode": entry.mode,
                "type": _ENTRY_TYPES.get(entry.mode, "blob"),
                "sha": entry.sha,
            }
            for entry in entries
        ]
        return self._api.write(_MADE, "POST", "git", "trees", body={"base_tree": base_tree, "tree": tree}).sha

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
