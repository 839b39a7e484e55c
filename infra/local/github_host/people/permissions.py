"""What a GitHub App may do: names and levels of permissions, and how one set covers another.

Rules only. Sources: "Permissions required for GitHub Apps" and "Create an installation access token for an app".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_LEVELS = ("read", "write", "admin")

KNOWN = frozenset(
    {
        "actions",
        "checks",
        "contents",
        "issues",
        "members",
        "metadata",
        "pull_requests",
        "statuses",
        "workflows",
    }
)


@dataclass(frozen=True)
class Need:
    """One permission at one level, for example ``contents`` at ``write``."""

    permission: str
    level: str

    def __str__(self) -> str:
        return f"{self.permission}={self.level}"


def reading(*permissions: str) -> tuple[Need, ...]:
    """Any one of these at ``read`` is enough."""
    return tuple(Need(permission, "read") for permission in permissions)


def writing(*permissions: str) -> tuple[Need, ...]:
    """Any one of these at ``write`` is enough."""
    return tuple(Need(permission, "write") for permission in permissions)


def covers(granted: Mapping[str, str], need: Need) -> bool:
    """Decide whether a grant contains the need; a higher level contains the lower ones."""
    level = granted.get(need.permission)
    return level is not None and _LEVELS.index(level) >= _LEVELS.index(need.level)


def covers_any(granted: Mapping[str, str], needs: Iterable[Need]) -> bool:
    """Decide whether a grant contains at least one of the alternatives."""
    return any(covers(granted, need) for need in needs)


def complete(permissions: Mapping[str, str]) -> dict[str, str]:
    """Check a grant and add ``metadata``, which every App has.

    Raises ValueError for a name or level that GitHub does not know.
    """
    for name, level in permissions.items():
        if name not in KNOWN:
            raise ValueError(f"unknown permission {name!r}; known are {', '.join(sorted(KNOWN))}")
        if level not in _LEVELS or (name == "workflows" and level != "write"):
            raise ValueError(f"permission {name!r} has no level {level!r}")
    return {"metadata": "read", **permissions}


def narrowed(granted: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str] | None:
    """Return what a token gets that asks for less than its installation has, or None when it asks for more."""
    wanted = {"metadata": "read", **asked}
    if all(level in _LEVELS and covers(granted, Need(name, level)) for name, level in wanted.items()):
        return wanted
    return None
