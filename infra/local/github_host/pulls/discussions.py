"""The discussion of a pull request: issue comments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from infra.local.github_host.events import Event
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.comments import Comment, Commented


class Discussed(Commented, Protocol):
    """A pull request as its discussion knows it."""

    comments: list[IssueComment]


@dataclass(eq=False, kw_only=True)
class IssueComment(Comment):
    """A comment in the discussion of a pull request."""

    pull: Discussed

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("IC", self.id)

    def edit(self, body: str, *, by: Account | None = None) -> None:
        """Change the text."""
        with self.pull.state.change():
            editor = by or self.author
            changes = self.rewrite(body, self.pull.state.now(), editor)
            self._announce("edited", editor, changes=changes)

    def delete(self, *, by: Account | None = None) -> None:
        """Remove the comment; it answers as not found from now on."""
        with self.pull.state.change():
            self.deleted = True
            self.pull.comments.remove(self)
            self._announce("deleted", by or self.author)

    def _announce(self, action: str, sender: Account, **extra: object) -> None:
        repository = self.pull.repository
        self.pull.state.announce(Event("issue_comment", action, self, sender, repository, extra))
