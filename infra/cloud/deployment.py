"""What an operator decides about one deployment, read from the CDK context (``cdk.json``, ``cdk -c name=value``)."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

AGENTS = ("suggestions", "copilot", "claude", "codex", "command")
"""The agent adapters, each with a fixer task's image of its own."""

_ASKING = ("copilot", "claude", "codex")
"""The adapters that do nothing without a model."""

_STACK = re.compile(r"[a-z][a-z0-9-]{0,31}")
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}")
_ACCOUNT = re.compile(r"[0-9]{12}")
_ROLE = re.compile(r"arn:aws[a-z-]*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,500}")
_DOMAIN = re.compile(r"(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}")


class SettingRefused(Exception):
    """A context value is missing or unusable; the message names it and says what is wanted."""


@dataclass(frozen=True)
class AgentSettings:
    """What the agent's container is told, none of it secret.

    ``model`` names the model as the adapter's service does, ``command`` is the program of the adapter ``command`` with
    its arguments; either is empty where the adapter takes none. ``asks_a_model`` tells whether the deployment keeps a
    credential for it.
    """

    model: str = ""
    command: tuple[str, ...] = ()
    asks_a_model: bool = False


@dataclass(frozen=True)
class RunReporters:
    """Who may report runs: whole AWS accounts, by number, and single roles, by ARN; without any, nobody."""

    accounts: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def principals(self) -> tuple[str, ...]:
        """Name all of them."""
        return (*self.accounts, *self.roles)


@dataclass(frozen=True)
class Deployment:
    """One deployment.

    ``stack`` is the stack's name, which every name of ours starts with: 1 to 32 lower-case letters, digits and hyphens.
    ``agent`` is the adapter that fixes, ``agent_settings`` what it is told. ``egress_domains`` are the names beyond AWS
    that the fixer task's containers may look up and connect to: those of a model's service, and such as a package
    registry; none closes the network. ``run_reporters`` may report runs that other systems run.
    """

    stack: str
    agent: str
    agent_settings: AgentSettings
    egress_domains: tuple[str, ...]
    run_reporters: RunReporters


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
    model_domains = _domains(context, "model_domains")
    egress_domains = dict.fromkeys((*_domains(context, "egress_domains"), *model_domains))
    settings = _agent_settings(context, agent, model_domains)
    return Deployment(stack, agent, settings, tuple(egress_domains), _run_reporters(context))


def _agent_settings(context: Callable[[str], object], agent: str, model_domains: tuple[str, ...]) -> AgentSettings:
    model, command = context("model") or "", _command(context("agent_command"))
    if not isinstance(model, str) or (model and not _MODEL.fullmatch(model)):
        raise SettingRefused(f"the context value model is {model!r}, which is no name of a model")
    if agent == "suggestions" and (model or model_domains):
        raise SettingRefused("the context values model and model_domains are of no use to suggestions, which asks none")
    if agent in _ASKING and not model:
        raise SettingRefused(f"the context value model is missing: {agent} is told which one to ask")
    if agent in _ASKING and not model_domains:
        raise SettingRefused(f"the context value model_domains is missing: {agent} must reach its model's service")
    if (agent == "command") != bool(command):
        raise SettingRefused("the context value agent_command goes with the agent command, and with no other")
    return AgentSettings(model, command, asks_a_model=bool(model_domains))


def _command(value: object) -> tuple[str, ...]:
    """Read a program and its arguments: a list from the file, or a list written as JSON on the command line."""
    try:
        words = json.loads(value) if isinstance(value, str) and value else value or []
    except ValueError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
        raise SettingRefused("the context value agent_command is no list of a program and its arguments")
    return tuple(words)


def _text(context: Callable[[str], object], name: str) -> str:
    value = context(name)
    if not isinstance(value, str) or not value:
        raise SettingRefused(f"the context value {name} is missing: name it in cdk.json or with -c {name}=…")
    return value


def _run_reporters(context: Callable[[str], object]) -> RunReporters:
    named = _list(context, "run_reporters")
    for one in named:
        if not isinstance(one, str) or not (_ACCOUNT.fullmatch(one) or _ROLE.fullmatch(one)):
            raise SettingRefused(
                f"the context value run_reporters holds {one!r}: it takes accounts, by number, and roles, by ARN"
            )
    accounts = tuple(one for one in named if _ACCOUNT.fullmatch(one))
    return RunReporters(accounts, tuple(one for one in named if one not in accounts))


def _list(context: Callable[[str], object], name: str) -> list[str]:
    value = context(name)
    named = value.split(",") if isinstance(value, str) and value else value or []
    if not isinstance(named, list):
        raise SettingRefused(f"the context value {name} is neither a list nor names joined by commas")
    return named


def _domains(context: Callable[[str], object], name: str) -> tuple[str, ...]:
    domains = _list(context, name)
    for domain in domains:
        if not isinstance(domain, str) or not _DOMAIN.fullmatch(domain):
            raise SettingRefused(f"the context value {name} holds {domain!r}, which is not a domain name")
    return tuple(domains)
