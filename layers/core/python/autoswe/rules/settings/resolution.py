"""Whose value of a setting counts: the team's over the organisation's over the platform's (feedback §6).

What is stored is judged here and nowhere earlier. A value that is not allowed does not fall back to a less specific one
nor to the default: it says that somebody wanted something else, and nobody knows what.
This module is on the webhook's path: it imports the standard library only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from autoswe.rules.settings.registry import Override, Scope, Setting

V = TypeVar("V")


@dataclass(frozen=True)
class Place:
    """The platform, an organisation of it, or a team of an organisation: what a value of a setting is for.

    A repository stands at the place of its team, of its organisation alone, or of the platform alone. Raises
    ``ValueError`` for an empty name and for a team without its organisation.
    """

    organization: str | None = None
    team: str | None = None

    def __post_init__(self) -> None:
        if "" in (self.organization, self.team):
            raise ValueError("an organisation and a team have names that are not empty")
        if self.team is not None and self.organization is None:
            raise ValueError("a team belongs to an organisation, and none is named")

    @property
    def scope(self) -> Scope:
        """The scope of a value that is stored for this place."""
        if self.team is not None:
            return Scope.TEAM
        return Scope.ADMIN if self.organization is None else Scope.ORGANIZATION

    def line(self) -> tuple["Place", ...]:
        """List this place and those above it, the most specific first; the platform is always the last."""
        above = {Scope.TEAM: (Place(self.organization), PLATFORM), Scope.ORGANIZATION: (PLATFORM,), Scope.ADMIN: ()}
        return (self, *above[self.scope])

    def __str__(self) -> str:
        if self.team is not None:
            return f"the team {self.team} of {self.organization}"
        return "the platform" if self.organization is None else f"the organisation {self.organization}"


PLATFORM = Place()


@dataclass(frozen=True)
class Resolved(Generic[V]):
    """The value that counts; ``place`` is the most specific one that stored it, absent for the default."""

    value: V
    place: Place | None


@dataclass(frozen=True)
class Unreadable:
    """No value counts, because a stored one is not allowed: ``sentence`` says which, where, and what is allowed."""

    sentence: str


@dataclass(frozen=True)
class StoredSettings:
    """What was stored of some settings when they were read.

    ``values`` holds for each setting that was read, by its name, what each place stored. ``place`` is where the
    repository stands that the values are to count for.
    """

    place: Place
    values: Mapping[str, Mapping[Place, object]]

    def resolve(self, setting: Setting[V]) -> Resolved[V] | Unreadable:
        """Return the value that counts here; raises ``KeyError`` for a setting that was not read."""
        stored = self.values[setting.name]
        places = [place for place in self.place.line() if place.scope in setting.scopes and place in stored]
        if setting.override is Override.REPLACES:
            places = places[:1]
        if not places:
            return Resolved(setting.default, None)
        values: list[V] = []
        for place in places:
            value = setting.kind.read(stored[place])
            if value is None:
                return Unreadable(f"what {place} has stored as {describe_fault(setting, stored[place])}")
            values.append(value)
        return Resolved(setting.kind.join(values), places[0])

    def is_on(self, switch: Setting[bool]) -> bool:
        """Say whether a switch is on; one that is unreadable is off."""
        resolved = self.resolve(switch)
        return isinstance(resolved, Resolved) and resolved.value


_LONGEST_SHOWN = 80


def describe_fault(setting: Setting[V], value: object) -> str:
    """Say that a setting cannot have a value, and what it can have."""
    shown = repr(value)
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    return f"{setting.name} cannot be {shown}: it must be {setting.kind.allowed}"
