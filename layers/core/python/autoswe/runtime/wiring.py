"""Joins each step of the feedback workflow, and the sweep, to their adapters, from the environment of their process."""

from functools import partial
from typing import Any, get_args

from autoswe.contracts.fixing import AgentName
from autoswe.dynamodb.client import Patience
from autoswe.dynamodb.deliveries import DeliveryTable
from autoswe.dynamodb.history import HistoryTable
from autoswe.dynamodb.records import RecordTable
from autoswe.dynamodb.runs import RunTable
from autoswe.dynamodb.unstarted import UnstartedTable
from autoswe.runtime import aws
from autoswe.runtime.github_wiring import github
from autoswe.runtime.process import Process
from autoswe.runtime.start_wiring import resolve_intake, rounds, start_workflow, table
from autoswe.s3.artifacts import VersionedBucket
from autoswe.s3.client import s3_client
from autoswe.s3.presigned import SessionSigner
from autoswe.steps import close_round as closing
from autoswe.steps import poll_ci as polling
from autoswe.steps import prepare_task as preparing
from autoswe.steps import push_fix as pushing
from autoswe.steps import record_run as recording
from autoswe.steps import respond as responding
from autoswe.steps import sweep_deliveries as sweeping
from autoswe.steps.gather_ports import Ports as GatherPorts


class AgentNotNamed(Exception):
    """A deployment names no agent, or one that there is no adapter for."""


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
    )


def close_round(process: Process) -> closing.Ports:
    """Wire the state "Close round": the table, and nothing that could reach GitHub."""
    return closing.Ports(records=records(process), rounds=rounds(process))


def sweep_deliveries(process: Process) -> sweeping.Ports:
    """Wire the sweep: the way to a started round, and each App's own webhook."""
    patience = Patience(process.sleep)
    return sweeping.Ports(
        clock=process.now,
        starting=start_workflow(process),
        unstarted=UnstartedTable(table(process), patience),
        resolving=resolve_intake(process),
        connections=records(process),
        deliveries=DeliveryTable(table(process), process.now, patience),
        open_host=lambda connection: github(process, connection).hook_deliveries(),
    )


def record_run(process: Process) -> recording.Ports:
    """Wire the record of runs that work elsewhere: the table alone."""
    return recording.Ports(clock=process.now, repositories=records(process), runs=runs(process))


def runs(process: Process) -> RunTable:
    """Wire the records of runs."""
    return RunTable(table(process), Patience(process.sleep))


def records(process: Process) -> RecordTable:
    """Wire the platform's own records."""
    return RecordTable(table(process), Patience(process.sleep))


def history(process: Process) -> HistoryTable:
    """Wire what happened on pull requests."""
    return HistoryTable(table(process), Patience(process.sleep))


def signer(process: Process) -> SessionSigner:
    """Wire the role whose sessions sign containers' addresses."""
    return SessionSigner(
        aws.client(process, "sts"),
        process.variable("AUTOSWE_SIGNER_ROLE_ARN"),
        process.variable("AUTOSWE_BUCKET"),
        partial(s3_client, aws.session(process), process.variable("AWS_REGION")),
    )


def artifacts(process: Process) -> VersionedBucket:
    """Wire the bucket of artifacts."""
    return VersionedBucket(bucket_client(process), process.variable("AUTOSWE_BUCKET"))


def bucket_client(process: Process) -> Any:
    """Wire the client that reaches the bucket."""
    return process.once("s3", lambda: s3_client(aws.session(process), process.variable("AWS_REGION")))


def _agent(name: str) -> AgentName:
    for known in get_args(AgentName):
        if name == known:
            return known  # type: ignore[no-any-return]  # one of the literal's own arguments
    raise AgentNotNamed(f"AUTOSWE_AGENT names {name!r}, and there is no adapter of that name")
