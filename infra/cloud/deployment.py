"""What an operator decides about one deployment, read from the CDK context (``cdk.json``, ``cdk -c name=value``)."""

import re
from collections.abc import Callable
from dataclasses import dataclass

AGENTS = ("suggestions",)
"""The agent adapters that the fixer task's image holds."""

_STACK = re.compile(r"[a-z][a-z0-9-]{0,31}")
_DOMAIN = re.compile(r"(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}")


class SettingRefused(Exception):
    """A context value is missing or unusable; the message names it and says what is wanted."""


@dataclass(frozen=True)
class Deployment:
    """One deployment.

    ``stack`` is the stack's name, which every name of ours starts with: 1 to 32 lower-case letters, digits and hyphens.
    ``agent`` is the adapter that fixes. ``egress_domains`` are the names beyond AWS that the fixer task's containers
    may look up and connect to, such as a package registry; none closes the network.
    """

    stack: str
    agent: str
    egress_domains: tuple[str, ...]


def read_deployment(context: Callable[[str], object]) -> Deployment:
    """Read a deployment from its context; raises ``SettingRefused`` for the first value that will not do."""
    stack = _text(context, "stack")
    if not _STACK.fullmatch(stack):
        raise SettingRefused(
            f"the context value stack is {stack!r}: it takes 1 to 32 lower-case letters, digits and hyphens"
        )
    agent = _text(context, "agent")
    if agent not in AGENTS:
        raise SettingRefused(f"the context value agent is {agent!r}, which is none of: {', '.join(AGENTS)}")
    return Deployment(stack, agent, _domains(context("egress_domains")))


def _text(context: Callable[[str], object], name: str) -> str:
    value = context(name)
    if not isinstance(value, str) or not value:
        raise SettingRefused(f"the context value {name} is missing: name it in cdk.json or with -c {name}=…")
    return value


def _domains(value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) and value else value or []
    if not isinstance(names, list):
        raise SettingRefused("the context value egress_domains is neither a list nor names joined by commas")
    for name in names:
        if not isinstance(name, str) or not _DOMAIN.fullmatch(name):
            raise SettingRefused(f"the context value egress_domains holds {name!r}, which is not a domain name")
    return tuple(names)
