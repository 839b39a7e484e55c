"""Joins the steps on the way from a decision or an intake to a started round to their adapters."""

from autoswe.dynamodb.client import Patience, Table
from autoswe.dynamodb.decisions import DecisionTable
from autoswe.dynamodb.intake import IntakeTable
from autoswe.dynamodb.pending_intakes import PendingIntakeTable
from autoswe.dynamodb.records import RecordTable
from autoswe.dynamodb.rounds import RoundTable
from autoswe.executions import WorkflowExecutions
from autoswe.runtime import aws
from autoswe.runtime.github_wiring import github
from autoswe.runtime.process import Process
from autoswe.steps import resolve_intake as resolving
from autoswe.steps import start_workflow as starting


def table(process: Process) -> Table:
    """Wire the one table."""
    return Table(process.variable("AUTOSWE_TABLE"), lambda: aws.client(process, "dynamodb"))


def rounds(process: Process) -> RoundTable:
    """Wire the ledger of rounds."""
    return RoundTable(table(process), process.now, Patience(process.sleep))


def start_workflow(process: Process) -> starting.Ports:
    """Wire the start of a decision."""
    machine = process.variable("AUTOSWE_FEEDBACK_ROUND_ARN")
    return starting.Ports(
        records=DecisionTable(table(process), Patience(process.sleep)),
        slots=rounds(process),
        executions=WorkflowExecutions(lambda: aws.client(process, "stepfunctions"), machine),
    )


def resolve_intake(process: Process) -> resolving.Ports:
    """Wire the decision on an intake."""
    patience = Patience(process.sleep)
    return resolving.Ports(
        ledger=IntakeTable(table(process), process.now, patience),
        intakes=PendingIntakeTable(table(process), process.now, patience),
        connections=RecordTable(table(process), patience),
        open_host=lambda connection, repository: github(process, connection).head_host(repository),
    )
