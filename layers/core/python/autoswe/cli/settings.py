"""``autoswe settings``: read and change the platform's settings (feedback §6)."""

from typing import Annotated, Any

import typer

from autoswe.cli.ending import stop
from autoswe.cli.records import open_records
from autoswe.rules.settings import change as changing
from autoswe.rules.settings.page import settings_page
from autoswe.rules.settings.registry import REGISTRY, Setting
from autoswe.rules.settings.resolution import Place, Resolved, StoredSettings

settings = typer.Typer(no_args_is_help=True, help="Read and change the platform's settings.")

Name = Annotated[str, typer.Argument(help="The setting's name.")]
Organization = Annotated[str | None, typer.Option(help="The organisation that it is about; without one, the platform.")]
Team = Annotated[str | None, typer.Option(help="The organisation's team that it is about.")]
By = Annotated[str, typer.Option(help="Who changes it; kept with the change.")]


@settings.command("list")
def list_settings(organization: Organization = None, team: Team = None) -> None:
    """Print every setting with the value that counts for the platform, an organisation or a team, and whose it is."""
    place = _place(organization, team)
    width = max(map(len, REGISTRY))
    with open_records() as records:
        for setting in REGISTRY.values():
            print(f"{setting.name:<{width}}  {_told(setting, records.settings(place, setting))}")


@settings.command("get")
def get_setting(name: Name, organization: Organization = None, team: Team = None) -> None:
    """Print the value that counts, what the setting does and may be, and who stored what."""
    place, setting = _place(organization, team), changing.find_setting(name)
    if isinstance(setting, changing.Refused):
        stop(setting.sentence)
    with open_records() as records:
        stored = records.settings(place, setting)
        saved = {at: records.saved_setting(setting, at) for at in place.line() if at.scope in setting.scopes}
    print(f"{setting.name}: {_told(setting, stored)}")
    print(f"{setting.effect} It is {setting.kind.allowed}; the default is {_shown(setting, setting.default)}.")
    for at, value in saved.items():
        if value is not None:
            now, before = _shown(setting, value.value), _shown(setting, value.previous_value)
            print(f"{at}: {now}, set by {value.changed_by} at {value.changed_at}; before: {before}")


@settings.command("set")
def set_setting(
    name: Name,
    value: Annotated[str, typer.Argument(help="The value; the elements of a list with commas between them.")],
    by: By,
    organization: Organization = None,
    team: Team = None,
) -> None:
    """Store a value for the platform, an organisation or a team."""
    _change(name, value, by, _place(organization, team))


@settings.command("unset")
def unset_setting(name: Name, by: By, organization: Organization = None, team: Team = None) -> None:
    """Take the platform's, an organisation's or a team's own value back, so that the next one counts."""
    _change(name, None, by, _place(organization, team))


@settings.command("spending")
def record_spending(
    usd: Annotated[int, typer.Argument(min=0, help="What the month has cost so far, in whole US dollars.")],
    by: By,
    organization: Organization = None,
    month: Annotated[str | None, typer.Option(help="The month, as in 2026-11; without it, this one in UTC.")] = None,
) -> None:
    """Record what a month has cost an organisation so far, as its bills say; the budget is compared with it."""
    import re  # noqa: PLC0415 - a command's own needs

    from autoswe.runtime.process import current  # noqa: PLC0415 - a command's own needs

    now = current().now()
    month = month or f"{now:%Y-%m}"
    if not re.fullmatch(r"20[0-9]{2}-(0[1-9]|1[0-2])", month):
        stop(f"{month!r} is no month: write it as in 2026-11")
    account = _place(organization, None)
    with open_records() as records:
        records.save_spending(account.organization, month, usd, by=by, at=now)
    print(f"{month}: {usd} USD for {account}")


@settings.command("describe")
def describe_settings() -> None:
    """Print the page that describes every setting: ``docs/settings.md``."""
    print(settings_page(), end="")


def _change(name: str, written: str | None, by: str, place: Place) -> None:
    from autoswe.runtime.process import current  # noqa: PLC0415 - a command's own needs

    change = changing.judge_change(name, place, written)
    if isinstance(change, changing.Refused):
        stop(change.sentence)
    with open_records() as records:
        records.save_setting(change.setting, change.value, by=by, at=current().now(), place=place)
        stored = records.settings(place, change.setting)
    print(f"{name}: {_told(change.setting, stored)}")


def _place(organization: str | None, team: str | None) -> Place:
    try:
        return Place(organization, team)
    except ValueError as wrong:
        stop(str(wrong))


def _told(setting: Setting[Any], stored: StoredSettings) -> str:
    resolved = stored.resolve(setting)
    if not isinstance(resolved, Resolved):
        return f"unreadable: {resolved.sentence}"
    return f"{_shown(setting, resolved.value)} ({resolved.place or 'default'})"


def _shown(setting: Setting[Any], value: object) -> str:
    return "none" if value is None or value in ((), []) else setting.kind.show(value)
