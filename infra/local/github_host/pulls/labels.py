"""Labels: words that people put on pull requests."""

from dataclasses import dataclass

from infra.local.github_host.identifiers import node_id


@dataclass(frozen=True)
class Label:
    """A label of one repository."""

    id: int
    name: str

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("LA", self.id)
