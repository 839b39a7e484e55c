"""Whether a setting may be changed as a person asks, judged before anything is stored (feedback §6)."""

from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from autoswe.rules.settings.registry import REGISTRY, Scope, Setting
from autoswe.rules.settings.resolution import Place, describe_fault


class ChangeRefusal(StrEnum):
    """Why a setting is not changed.

    ``unknown_setting``: there is none of that name. ``scope_not_allowed``: it takes no value of its own for an
    organisation, or for a team. ``value_not_allowed``: it cannot have this value.
    """

    UNKNOWN_SETTING = "unknown_setting"
    SCOPE_NOT_ALLOWED = "scope_not_allowed"
    VALUE_NOT_ALLOWED = "value_not_allowed"


@dataclass(frozen=True)
class Refused:
    """A change that is not made; ``sentence`` names setting and value and says what is allowed."""

    reason: ChangeRefusal
    sentence: str


@dataclass(frozen=True)
class Change:
    """A change that may be made; without a ``value`` the place gives up the one it has."""

    setting: Setting[Any]
    place: Place
    value: object | None


def judge_change(name: str, place: Place, written: str | None) -> Change | Refused:
    """Judge a change as a person wrote it; nothing written means that the place is to have no value of its own."""
    setting = find_setting(name)
    if isinstance(setting, Refused):
        return setting
    if place.scope not in setting.scopes:
        return Refused(ChangeRefusal.SCOPE_NOT_ALLOWED, _describe_scopes(setting, place))
    if written is None:
        return Change(setting, place, None)
    meant = setting.kind.parse(written)
    value = setting.kind.read(meant)
    if value is None:
        return Refused(ChangeRefusal.VALUE_NOT_ALLOWED, describe_fault(setting, meant))
    return Change(setting, place, value)


def find_setting(name: str) -> Setting[Any] | Refused:
    """Find a setting by its name."""
    if name in REGISTRY:
        return REGISTRY[name]
    close = get_close_matches(name, REGISTRY, n=1)
    hint = f"did you mean {close[0]}?" if close else "autoswe settings list names all of them"
    return Refused(ChangeRefusal.UNKNOWN_SETTING, f"there is no setting {name!r}: {hint}")


def _describe_scopes(setting: Setting[Any], place: Place) -> str:
    if setting.scopes == (Scope.ADMIN,):
        return f"{setting.name} is platform-wide: {place} cannot have a value of its own"
    return f"{setting.name} is set for an organisation as a whole: {place} cannot have a value of its own"
