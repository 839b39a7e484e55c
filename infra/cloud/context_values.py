"""Reads the values of the CDK context: each as what it is for, or refused in one sentence."""

import json
import re
from collections.abc import Callable

Context = Callable[[str], object]
"""Looks a context value up by its name; ``None`` for one that is not there."""

_DOMAIN = re.compile(r"(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}")
_SWITCH = {"true": True, "false": False, "": False}


class SettingRefused(Exception):
    """A context value is missing or unusable; the message names it and says what is wanted."""


def read_text(context: Context, name: str) -> str:
    """Read a text that has to be there."""
    value = context(name)
    if not isinstance(value, str) or not value:
        raise SettingRefused(f"the context value {name} is missing: name it in cdk.json or with -c {name}=…")
    return value


def read_choice(context: Context, name: str, choices: tuple[str, ...]) -> str:
    """Read one of a few texts, which has to be there."""
    value = read_text(context, name)
    if value not in choices:
        raise SettingRefused(f"the context value {name} is {value!r}, which is none of: {', '.join(choices)}")
    return value


def read_pattern(context: Context, name: str, pattern: re.Pattern[str], wanted: str) -> str:
    """Read a text that matches ``pattern``, or is empty; ``wanted`` says in a refusal what the value is not."""
    value = context(name) or ""
    if not isinstance(value, str) or (value and not pattern.fullmatch(value)):
        raise SettingRefused(f"the context value {name} is {value!r}, which is no {wanted}")
    return value


def read_switch(context: Context, name: str) -> bool:
    """Read true or false, as a text where it comes from the command line; false when it is not there."""
    value = context(name)
    known = value if isinstance(value, bool) else _SWITCH.get("" if value is None else str(value))
    if known is None:
        raise SettingRefused(f"the context value {name} is {value!r}: it takes true or false")
    return known


def read_list(context: Context, name: str) -> list[str]:
    """Read names: a list from the file, or names joined by commas on the command line. None are refused here."""
    value = context(name)
    named = value.split(",") if isinstance(value, str) and value else value or []
    if not isinstance(named, list):
        raise SettingRefused(f"the context value {name} is neither a list nor names joined by commas")
    return named


def read_domains(context: Context, name: str) -> tuple[str, ...]:
    """Read names of domains, each whole or with ``*.`` for any name below it."""
    domains = read_list(context, name)
    for domain in domains:
        if not isinstance(domain, str) or not _DOMAIN.fullmatch(domain):
            raise SettingRefused(f"the context value {name} holds {domain!r}, which is not a domain name")
    return tuple(domains)


def read_command(context: Context, name: str) -> tuple[str, ...]:
    """Read a program and its arguments: a list from the file, or a list written as JSON on the command line."""
    value = context(name)
    try:
        words = json.loads(value) if isinstance(value, str) and value else value or []
    except ValueError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
        raise SettingRefused(f"the context value {name} is no list of a program and its arguments")
    return tuple(words)
