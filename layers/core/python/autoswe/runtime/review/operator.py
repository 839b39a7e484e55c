"""Review runs for a person at a terminal: their start and their reports, where the environment says (review §9.2)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from autoswe.dynamodb.records.platform import RecordTable
from autoswe.executions.step_functions import WorkflowExecutions
from autoswe.ports.artifacts import ArtifactRefused
from autoswe.runtime import aws
from autoswe.runtime.operator import RecordsUnavailable, operator_wiring
from autoswe.runtime.process import Process
from autoswe.runtime.wiring import artifacts, bucket_client, records
from autoswe.s3.artifacts import VersionedBucket
from autoswe.s3.review import ReviewReports, WrittenReport

__all__ = [
    "ArtifactRefused",
    "RecordsUnavailable",
    "ReportReading",
    "ReviewStart",
    "WrittenReport",
    "operator_reports",
    "operator_review_start",
]


@dataclass(frozen=True)
class ReviewStart:
    """What starting a run takes: the platform's connections, and the workflow."""

    records: RecordTable
    executions: WorkflowExecutions


@dataclass(frozen=True)
class ReportReading:
    """What reading a report takes: which there are, and their content."""

    reports: ReviewReports
    artifacts: VersionedBucket


@contextmanager
def operator_review_start() -> Iterator[ReviewStart]:
    """Open the start of runs; raises ``RecordsUnavailable`` for whatever AWS refuses."""
    with operator_wiring(_start) as start:
        yield start


@contextmanager
def operator_reports() -> Iterator[ReportReading]:
    """Open the reports, as ``operator_review_start`` opens the start of runs."""
    with operator_wiring(_reading) as reading:
        yield reading


def _start(process: Process) -> ReviewStart:
    machine = process.variable("AUTOSWE_SCHEDULED_REVIEW_ARN")
    return ReviewStart(records(process), WorkflowExecutions(lambda: aws.client(process, "stepfunctions"), machine))


def _reading(process: Process) -> ReportReading:
    reports = ReviewReports(bucket_client(process), process.variable("AUTOSWE_BUCKET"))
    return ReportReading(reports, artifacts(process))
