"""Lists that are read page by page until they end, as far as the host counts them."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from autoswe.github.transport.shape import GraphqlShape, PageInfo
from autoswe.ports.github import PartialAnswer

N = TypeVar("N")

MOST_PAGES_OF_A_LIST = 20
"""How many pages, of 100 items each, are read of a list that belongs to one pull request."""


class Page(GraphqlShape, Generic[N]):
    """One page of a list."""

    page_info: PageInfo
    nodes: list[N]


@dataclass
class Reading(Generic[N]):
    """How far a list has been read; ``cursor`` is what its next page comes after.

    One that the host does not tell, ``is_told`` false, goes on no further.
    """

    nodes: list[N] = field(default_factory=list)
    cursor: str | None = None
    goes_on: bool = True
    is_told: bool = True

    def take(self, page: Page[N] | None) -> None:
        """Add the next page, absent where the host does not tell the list; one that has ended takes no more."""
        if not self.goes_on:
            return
        if page is None:
            self.goes_on = self.is_told = False
            return
        self.nodes += page.nodes
        self.cursor = page.page_info.end_cursor or self.cursor
        self.goes_on = page.page_info.has_next_page

    def whole(self) -> tuple[N, ...] | None:
        """Return all of the list, ``None`` when it was not read to its end."""
        return None if self.goes_on or not self.is_told else tuple(self.nodes)


def check_count(what: str, count: int, expected: int) -> None:
    """Raise ``PartialAnswer`` when fewer things came than the host counts."""
    if count < expected:
        raise PartialAnswer(f"{what}: {count} came, the host counts {expected}")
