"""Pull requests (Get a pull request)."""

from typing import Literal

from pydantic import TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import PartialAnswer
from autoswe.rules.github.facts import Pull


class _Id(Shape):
    id: int


class _Head(Shape):
    sha: Sha
    ref: str
    repo: _Id | None


class _Base(Shape):
    sha: Sha
    ref: str
    repo: _Id


class _Pull(Shape):
    number: int
    state: Literal["open", "closed"]
    user: _Id | None
    head: _Head
    base: _Base


_PULL = TypeAdapter(_Pull)


class Pulls(Resource):
    """Reads pull requests."""

    def pull(self, number: int) -> Pull:
        """Read a pull request as it stands now."""
        read = self._api.read(_PULL, "pulls", number)
        if read.number != number:
            raise PartialAnswer(f"pull request {number} was asked for, {read.number} came")
        return Pull(
            number=number,
            is_open=read.state == "open",
            head_sha=read.head.sha,
            head_ref=read.head.ref,
            head_repository_id=read.head.repo.id if read.head.repo else None,
            base_sha=read.base.sha,
            base_ref=read.base.ref,
            repository_id=read.base.repo.id,
            author_id=read.user.id if read.user else None,
        )
