"""Joins the steps on the way from a decision or an intake to a started round to their adapters."""

from autoswe.dynamodb.intake.deliveries import DeliveryTable
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.intake.pending_intakes import PendingIntakeTable
from autoswe.dynamodb.intake.unstarted import UnstartedTable
from autoswe.dynamodb.records.decisions import DecisionTable
from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.records.runs import RunTable
from autoswe.dynamodb.table.client import Backoff
from autoswe.executions.step_functions import WorkflowExecutions
from autoswe.runtime import aws
from autoswe.runtime.github import github
from autoswe.runtime.process import Process
from autoswe.runtime.wiring import records, rounds, table
from autoswe.steps.intake import record_run as recording
from autoswe.steps.intake import resolve_intake as resolving
from autoswe.steps.intake import start_workflow as starting
from autoswe.steps.intake import sweep_deliveries as sweeping


def start_workflow(process: Process) -> starting.Ports:
    """Wire the start of a decision."""
    machine = process.variable("AUTOSWE_FEEDBACK_ROUND_ARN")
    return starting.Ports(
        records=DecisionTable(table(process), Backoff(process.sleep)),
        slots=rounds(process),
        executions=WorkflowExecutions(lambda: aws.client(process, "stepfunctions"), machine),
    )


def resolve_intake(process: Process) -> resolving.Ports:
    """Wire the decision on an intake."""
    backoff = Backoff(process.sleep)
    return resolving.Ports(
        ledger=IntakeTable(table(process), process.now, backoff),
        intakes=PendingIntakeTable(table(process), process.now, backoff),
        connections=RecordTable(table(process), backoff),
        open_host=lambda connection, repository: github(process, connection).head_host(repository),
    )


def sweep_deliveries(process: Process) -> sweeping.Ports:
    """Wire the sweep: the way to a started round, and each App's own webhook."""
    backoff = Backoff(process.sleep)
    return sweeping.Ports(
        clock=process.now,
        starting=start_workflow(process),
        unstarted=UnstartedTable(table(process), backoff),
        resolving=resolve_intake(process),
        connections=records(process),
        deliveries=DeliveryTable(table(process), process.now, backoff),
        open_host=lambda connection: github(process, connection).hook_deliveries(),
    )


def record_run(process: Process) -> recording.Ports:
    """Wire the record of runs that work elsewhere: the table alone."""
    return recording.Ports(clock=process.now, repositories=records(process), runs=runs(process))


def runs(process: Process) -> RunTable:
    """Wire the records of runs."""
    return RunTable(table(process), Backoff(process.sleep))
