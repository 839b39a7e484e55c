"""What an operator decides about one deployment, read from the CDK context (``cdk.json``, ``cdk -c name=value``)."""

import re
from dataclasses import dataclass

from infra.cloud.context_values import (
    Context,
    SettingRefused,
    read_choice,
    read_command,
    read_domains,
    read_list,
    read_pattern,
    read_text,
)
from infra.cloud.review_settings import ReviewSettings, read_review_settings

AGENTS = ("suggestions", "copilot", "claude", "codex", "command")
"""The agent adapters, each with a fixer task's image of its own."""

_ASKING = ("copilot", "claude", "codex")
"""The adapters that do nothing without a model."""

_STACK = re.compile(r"[a-z][a-z0-9-]{0,31}")
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}")
_ACCOUNT = re.compile(r"[0-9]{12}")
_ROLE = re.compile(r"arn:aws[a-z-]*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,500}")


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
    that the tasks' containers may look up and connect to: those of a model's service, and such as a package registry;
    none closes the network. ``run_reporters`` may report runs that other systems run. ``review`` is about scheduled
    reviews.
    """

    stack: str
    agent: str
    agent_settings: AgentSettings
    egress_domains: tuple[str, ...]
    run_reporters: RunReporters
    review: ReviewSettings


def read_deployment(context: Context) -> Deployment:
    """Read a deployment from its context; raises ``SettingRefused`` for the first value that will not do."""
    stack = read_text(context, "stack")
    if not _STACK.fullmatch(stack):
        raise SettingRefused(
            f"the context value stack is {stack!r}: it takes 1 to 32 lower-case letters, digits and hyphens"
        )
    agent = read_choice(context, "agent", AGENTS)
    egress_domains = read_domains(context, "egress_domains")
    model_domains = read_domains(context, "model_domains")
    settings = _agent_settings(context, agent, model_domains)
    review = read_review_settings(context)
    reached = dict.fromkeys((*egress_domains, *model_domains, *review.model_domains))
    return Deployment(stack, agent, settings, tuple(reached), _run_reporters(context), review)


def _agent_settings(context: Context, agent: str, model_domains: tuple[str, ...]) -> AgentSettings:
    command = read_command(context, "agent_command")
    model = read_pattern(context, "model", _MODEL, "name of a model")
    if agent == "suggestions" and (model or model_domains):
        raise SettingRefused("the context values model and model_domains are of no use to suggestions, which asks none")
    if agent in _ASKING and not model:
        raise SettingRefused(f"the context value model is missing: {agent} is told which one to ask")
    if agent in _ASKING and not model_domains:
        raise SettingRefused(f"the context value model_domains is missing: {agent} must reach its model's service")
    if (agent == "command") != bool(command):
        raise SettingRefused("the context value agent_command goes with the agent command, and with no other")
    return AgentSettings(model, command, asks_a_model=bool(model_domains))


def _run_reporters(context: Context) -> RunReporters:
    named = read_list(context, "run_reporters")
    for one in named:
        if not isinstance(one, str) or not (_ACCOUNT.fullmatch(one) or _ROLE.fullmatch(one)):
            raise SettingRefused(
                f"the context value run_reporters holds {one!r}: it takes accounts, by number, and roles, by ARN"
            )
    accounts = tuple(one for one in named if _ACCOUNT.fullmatch(one))
    return RunReporters(accounts, tuple(one for one in named if one not in accounts))
