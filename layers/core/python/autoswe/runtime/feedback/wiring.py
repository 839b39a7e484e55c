"""Joins each step of the feedback workflow, and the sweep, to their adapters, from the environment of their process."""

from typing import get_args

from autoswe.contracts.containers import AgentName
from autoswe.dynamodb.feedback.history import HistoryTable
from autoswe.dynamodb.table.client import Backoff
from autoswe.runtime.github import github
from autoswe.runtime.process import Process
from autoswe.runtime.wiring import AgentNotNamed, artifacts, records, rounds, signer, table
from autoswe.steps.feedback import close_round as closing
from autoswe.steps.feedback import poll_ci as polling
from autoswe.steps.feedback import prepare_task as preparing
from autoswe.steps.feedback import push_fix as pushing
from autoswe.steps.feedback import respond as responding
from autoswe.steps.feedback.gather_ports import Ports as GatherPorts


def gather_feedback(process: Process) -> GatherPorts:
    """Wire the state "Gather feedback"."""
    return GatherPorts(
        clock=process.now,
        records=records(process),
        rounds=rounds(process),
        artifacts=artifacts(process),
        open_host=lambda connection, repository: github(process, connection).gather_host(repository),
        open_evidence=lambda connection, repository: github(process, connection).evidence_host(repository),
    )


def prepare_task(process: Process) -> preparing.Ports:
    """Wire the state "Prepare task"; raises ``AgentNotNamed``."""
    return preparing.Ports(
        records=records(process),
        rounds=rounds(process),
        artifacts=artifacts(process),
        signer=signer(process),
        agent=_agent(process.variable("AUTOSWE_AGENT")),
    )


def push_fix(process: Process) -> pushing.Ports:
    """Wire the state "Push fix"."""
    return pushing.Ports(
        records=records(process),
        rounds=rounds(process),
        artifacts=artifacts(process),
        machine=process.variable("AUTOSWE_FEEDBACK_ROUND_ARN"),
        open_host=lambda connection, repository: github(process, connection).push_host(repository),
    )


def poll_ci(process: Process) -> polling.Ports:
    """Wire the state "Poll CI"; raises ``AgentNotNamed``."""
    return polling.Ports(
        clock=process.now,
        records=records(process),
        rounds=rounds(process),
        agent=_agent(process.variable("AUTOSWE_AGENT")),
        open_host=lambda connection, repository: github(process, connection).check_host(repository),
    )


def respond(process: Process) -> responding.Ports:
    """Wire the state "Respond"."""
    return responding.Ports(
        records=records(process),
        rounds=rounds(process),
        artifacts=artifacts(process),
        open_host=lambda connection, repository: github(process, connection).report_host(repository),
        clock=process.now,
        sleep=process.sleep,
    )


def close_round(process: Process) -> closing.Ports:
    """Wire the state "Close round": the table, and nothing that could reach GitHub."""
    return closing.Ports(records=records(process), rounds=rounds(process), clock=process.now)


def history(process: Process) -> HistoryTable:
    """Wire what happened on pull requests."""
    return HistoryTable(table(process), Backoff(process.sleep))


def _agent(name: str) -> AgentName:
    for known in get_args(AgentName):
        if name == known:
            return known  # type: ignore[no-any-return]  # one of the literal's own arguments
    raise AgentNotNamed(f"AUTOSWE_AGENT names {name!r}, and there is no adapter of that name")
