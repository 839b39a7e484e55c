"""Joins each step of the review workflow to its adapters, from the environment of their process."""

from collections.abc import Callable
from typing import get_args

from autoswe.contracts.review.session import Reviewer
from autoswe.dynamodb.review.approvals import ApprovalTable
from autoswe.dynamodb.review.assessments import AssessmentTable
from autoswe.dynamodb.review.leases import ReviewLeaseTable
from autoswe.dynamodb.review.pushed_commits import PushedCommitTable
from autoswe.dynamodb.review.runs import ReviewRunTable
from autoswe.dynamodb.table.client import Backoff
from autoswe.rules.review.pulls.pull_names import read_repository_names
from autoswe.rules.review.run.preflight import WITHOUT_MODEL
from autoswe.runtime.github import REVIEW_PRIVATE_KEY, github, read_secret
from autoswe.runtime.process import Process
from autoswe.runtime.review.workflow import installed_release
from autoswe.runtime.wiring import AgentNotNamed, artifacts, records, signer, table
from autoswe.steps.review import apply_review as applying
from autoswe.steps.review import preflight as checking
from autoswe.steps.review import prepare_review as preparing
from autoswe.steps.review import report_run as reporting
from autoswe.steps.review import select_pulls as selecting

MODEL_CREDENTIAL = "model-credential"
"""The name of the reviewer's secret of a connection."""


class ExclusionsUnreadable(Exception):
    """A deployment's list of excluded repositories is no list of names of repositories."""


def preflight(process: Process) -> checking.Ports:
    """Wire the state "Preflight": the table, the bucket, and two secrets to look at; raises ``AgentNotNamed``."""
    reviewer = _reviewer(process)
    return checking.Ports(
        clock=process.now,
        records=records(process),
        runs=_runs(process),
        leases=_leases(process),
        artifacts=artifacts(process),
        release=installed_release(process),
        agent=reviewer,
        private_key=lambda connection: read_secret(process, connection, REVIEW_PRIVATE_KEY),
        model_credential=_credential_of(process, reviewer),
    )


def select_pulls(process: Process) -> selecting.Ports:
    """Wire the state "Select pulls"; raises ``ExclusionsUnreadable``."""
    return selecting.Ports(
        clock=process.now,
        records=records(process),
        runs=_runs(process),
        leases=_leases(process),
        assessments=_assessments(process),
        artifacts=artifacts(process),
        exclusions=_exclusions(process),
        open_host=lambda connection, names: github(process, connection, REVIEW_PRIVATE_KEY).scan_host(names),
    )


def prepare_review(process: Process) -> preparing.Ports:
    """Wire the state "Prepare review"; raises ``AgentNotNamed``."""
    return preparing.Ports(
        records=records(process),
        runs=_runs(process),
        leases=_leases(process),
        artifacts=artifacts(process),
        signer=signer(process),
        reviewer=_reviewer(process),
        open_host=lambda connection, repository: github(process, connection, REVIEW_PRIVATE_KEY).review_source_host(
            repository
        ),
    )


def apply_review(process: Process) -> applying.Ports:
    """Wire the state "Apply review"; a pull request that any App of ours opened is ours."""

    def our_bots() -> tuple[int, ...]:
        return tuple(connection.bot_id for connection in records(process).connections())

    return applying.Ports(
        clock=process.now,
        records=records(process),
        runs=_runs(process),
        leases=_leases(process),
        approvals=ApprovalTable(table(process), process.now, Backoff(process.sleep)),
        commits=PushedCommitTable(table(process), Backoff(process.sleep)),
        artifacts=artifacts(process),
        open_reread=lambda connection: github(process, connection, REVIEW_PRIVATE_KEY).reread_host(our_bots()),
        open_approve=lambda connection: github(process, connection, REVIEW_PRIVATE_KEY).approve_host(),
    )


def report_run(process: Process) -> reporting.Ports:
    """Wire the state "Report run": the table and the bucket, and nothing that could reach GitHub."""
    return reporting.Ports(
        release=installed_release(process),
        clock=process.now,
        runs=_runs(process),
        leases=_leases(process),
        assessments=_assessments(process),
        artifacts=artifacts(process),
    )


def _runs(process: Process) -> ReviewRunTable:
    return ReviewRunTable(table(process), process.now, Backoff(process.sleep))


def _leases(process: Process) -> ReviewLeaseTable:
    return ReviewLeaseTable(table(process), process.now, Backoff(process.sleep))


def _assessments(process: Process) -> AssessmentTable:
    return AssessmentTable(table(process), process.now, Backoff(process.sleep))


def _credential_of(process: Process, reviewer: Reviewer) -> Callable[[str], str | None]:
    if reviewer == WITHOUT_MODEL:
        return lambda _: None
    return lambda connection: read_secret(process, connection, MODEL_CREDENTIAL)


def _reviewer(process: Process) -> Reviewer:
    name = process.variable("AUTOSWE_REVIEWER")
    for known in get_args(Reviewer):
        if name == known:
            return known  # type: ignore[no-any-return]  # one of the literal's own arguments
    raise AgentNotNamed(f"AUTOSWE_REVIEWER names {name!r}, and there is no reviewer of that name")


def _exclusions(process: Process) -> tuple[str, ...]:
    names = read_repository_names(process.environment.get("AUTOSWE_REVIEW_EXCLUSIONS", ""))
    if names is None:
        raise ExclusionsUnreadable("AUTOSWE_REVIEW_EXCLUSIONS holds something that names no repository")
    return names
