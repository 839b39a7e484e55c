"""Settings as the table holds them: a partition for each, in it a row for each place with a value (feedback §6).

This module is on the webhook's path: it imports the standard library only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autoswe.dynamodb.table.attributes import MalformedRow, Plain, text
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import PLATFORM, Place, StoredSettings

Key = Mapping[str, str]
Row = Mapping[str, Plain]

Read = Callable[[Sequence[Key]], Sequence[Row | None]]
"""Reads rows in one request, in the order of their keys; a row that is not there is ``None``."""

_Wanted = Sequence[tuple[Setting[Any], Place]]


def setting_partition(setting: Setting[Any]) -> str:
    """Spell the partition that holds a setting's value for every place."""
    return key("SETTING", setting.name)


def setting_key(setting: Setting[Any], place: Place) -> Key:
    """Spell the key of a setting's value for a place."""
    names = (name for name in (place.organization, place.team) if name is not None)
    return {"pk": setting_partition(setting), "sk": key(place.scope, *names)}


def repository_key(connection: str, repository: str) -> Key:
    """Spell the key of what the platform knows of a repository."""
    return {"pk": key("REPOSITORY", connection, repository), "sk": SINGLE}


def repository_id_key(connection: str, repository_id: int) -> Key:
    """Spell the key under which a repository's number leads to the name that it is recorded by."""
    return {"pk": key("REPOSITORYID", connection, str(repository_id)), "sk": SINGLE}


def read_settings(read: Read, place: Place, settings: Iterable[Setting[Any]]) -> StoredSettings:
    """Read settings for a place that is known, in one request."""
    wanted = _wanted(settings, place.line())
    return _stored(place, wanted, read([setting_key(*one) for one in wanted]))


def read_settings_of(
    read: Read, repository: Key, settings: Sequence[Setting[Any]], *beside: Key
) -> tuple[StoredSettings, Row | None, Sequence[Row | None]]:
    """Read settings for a repository's place, which its row names, that row, and with it the rows ``beside``.

    It takes one request for a repository of no organisation, and a second one for the values of organisation and team.
    A repository without a row stands at the platform's place. Raises ``MalformedRow``.
    """
    above = _wanted(settings, (PLATFORM,))
    known, *rows = read([repository, *beside, *(setting_key(*one) for one in above)])
    others, values = rows[: len(beside)], rows[len(beside) :]
    place = _place(known)
    overriding = _wanted(settings, place.line()[:-1])
    if overriding:
        values += read([setting_key(*one) for one in overriding])
    return _stored(place, [*above, *overriding], values), known, others


def _place(repository: Row | None) -> Place:
    named = {name: text(repository, name) for name in ("organization", "team") if repository and name in repository}
    try:
        return Place(**named)
    except ValueError as wrong:
        raise MalformedRow(f"a repository's row is wrong: {wrong}") from None


def _wanted(settings: Iterable[Setting[Any]], places: Sequence[Place]) -> _Wanted:
    return [(setting, place) for setting in settings for place in places if place.scope in setting.scopes]


def _stored(place: Place, wanted: _Wanted, rows: Sequence[Row | None]) -> StoredSettings:
    values: dict[str, dict[Place, object]] = {setting.name: {} for setting, _ in wanted}
    for (setting, at), row in zip(wanted, rows, strict=True):
        if row is not None and "value" in row:
            values[setting.name][at] = row["value"]
    return StoredSettings(place, values)
