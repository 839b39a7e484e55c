"""The addresses that answers and webhooks contain."""

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True)
class Links:
    """``web`` is where people look, ``api`` is the REST root; both without a final slash."""

    web: str
    api: str

    @classmethod
    def of_server(cls, url: str) -> "Links":
        """Place the API where GitHub Enterprise Server has it: below ``/api/v3`` of the same host."""
        return cls(web=url, api=f"{url}/api/v3")

    def repository(self, full_name: str) -> str:
        """Return the REST address of a repository."""
        return f"{self.api}/repos/{full_name}"

    def page(self, full_name: str, *parts: object) -> str:
        """Return the address of a page of a repository."""
        return "/".join((self.web, full_name, *(quote(str(part), safe="/#") for part in parts)))
