"""Accounts, and what each may do in a repository."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from infra.local.github_host.identifiers import node_id


class AccountType(StrEnum):
    """What kind of account GitHub says this is."""

    USER = "User"
    BOT = "Bot"
    ORGANIZATION = "Organization"


_NODE_PREFIX = {AccountType.USER: "U", AccountType.BOT: "BOT", AccountType.ORGANIZATION: "O"}


@dataclass(eq=False)
class Account:
    """A person, a bot or an organization; ``deleted`` makes it the author that answers leave out."""

    id: int
    login: str
    type: AccountType
    name: str | None = None
    deleted: bool = False

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id(_NODE_PREFIX[self.type], self.id)

    @property
    def email(self) -> str:
        """The address that GitHub writes into commits of an account which hides its own."""
        return f"{self.id}+{self.login}@users.noreply.github.com"


@dataclass(frozen=True)
class Team:
    """A team of an organization, which may be asked for a review."""

    id: int
    slug: str

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("T", self.id)


@dataclass(frozen=True)
class Role:
    """What a collaborator may do: one of five levels, and the name of the role, which an organization may invent."""

    level: str
    name: str

    @property
    def permission(self) -> str:
        """The legacy word: ``maintain`` reads ``write`` and ``triage`` reads ``read``.

        Source: "Get repository permissions for a user".
        """
        return {"maintain": "write", "triage": "read"}.get(self.level, self.level)


NO_ROLE = Role("none", "none")
_LEVELS = ("none", "read", "triage", "write", "maintain", "admin")


@dataclass(eq=False)
class Collaborators:
    """Who may do what in one repository."""

    owner: Account
    private: bool
    _roles: dict[int, Role] = field(default_factory=dict)

    def set_permission(self, account: Account, level: str, role_name: str | None = None) -> None:
        """Give an account a level; ``role_name`` is the organization's own name for it."""
        if level not in _LEVELS:
            raise ValueError(f"permission {level!r} of {account.login} is none of {', '.join(_LEVELS)}")
        self._roles[account.id] = Role(level, role_name or level)

    def role(self, account: Account) -> Role:
        """Return the role of an account; everyone reads a public repository."""
        if account.id == self.owner.id:
            return Role("admin", "admin")
        role = self._roles.get(account.id, NO_ROLE)
        return Role("read", "read") if role.level == "none" and not self.private else role

    def association(self, account: Account | None) -> str:
        """Return the word GitHub puts beside an author: how the account relates to the repository."""
        if account is None or account.deleted:
            return "NONE"
        if account.id == self.owner.id:
            return "OWNER"
        return "COLLABORATOR" if self._roles.get(account.id, NO_ROLE).level != "none" else "NONE"
