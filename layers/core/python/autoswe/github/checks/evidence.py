"""What the failures on a commit say of themselves: the ends of logs, annotations, descriptions of statuses.

Sources: "List check runs for a Git reference", "List check run annotations", "List jobs for a workflow run", "Download
job logs for a workflow run", "Get the combined status for a specific reference".
"""

from collections.abc import Iterator

from pydantic import TypeAdapter

from autoswe.contracts.model import Count, PositiveInt, Sha
from autoswe.github.transport.connections import check_count
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Gone, PartialAnswer, Refused
from autoswe.rules.github.expected_checks import BAD
from autoswe.rules.github.facts import Annotation, CiEvidence, JobLog, StatusNote

MOST_RUNS = 10
MOST_LOGS = 5
LOG_TAIL_BYTES = 64 << 10
MOST_LOG_BYTES = 16 << 20
MOST_ANNOTATED_CHECKS = 10
ANNOTATIONS_OF_A_CHECK = 50
MOST_STATUSES = 20


class _Run(Shape):
    id: PositiveInt
    head_sha: Sha
    conclusion: str | None


class _Runs(Shape):
    total_count: Count
    workflow_runs: list[_Run]


class _Job(Shape):
    id: PositiveInt
    run_id: PositiveInt
    name: str
    conclusion: str | None


class _Jobs(Shape):
    total_count: Count
    jobs: list[_Job]


class _Output(Shape):
    annotations_count: Count


class _CheckRun(Shape):
    id: PositiveInt
    head_sha: Sha
    name: str
    conclusion: str | None
    output: _Output


class _CheckRuns(Shape):
    total_count: Count
    check_runs: list[_CheckRun]


class _Annotation(Shape):
    path: str
    start_line: int
    annotation_level: str | None
    title: str | None
    message: str | None


class _Status(Shape):
    context: str
    state: str
    description: str | None


class _Statuses(Shape):
    sha: Sha
    total_count: Count
    statuses: list[_Status]


_RUNS = TypeAdapter(_Runs)
_JOBS = TypeAdapter(_Jobs)
_CHECK_RUNS = TypeAdapter(_CheckRuns)
_ANNOTATIONS = TypeAdapter(list[_Annotation])
_STATUSES = TypeAdapter(_Statuses)


class FailureEvidence(Resource):
    """Reads what went wrong on a commit."""

    def evidence(self, commit_sha: str) -> CiEvidence:
        """Read what the failed jobs, checks and statuses of a commit say of themselves.

        At most ``MOST_LOGS`` logs, of each the last ``LOG_TAIL_BYTES``; at most ``ANNOTATIONS_OF_A_CHECK`` annotations
        of ``MOST_ANNOTATED_CHECKS`` checks; at most ``MOST_STATUSES`` statuses. A log that is gone, or larger than
        ``MOST_LOG_BYTES`` in a store that sends no parts, is left out; a list that is not whole is ``PartialAnswer``.
        """
        jobs = list(self._failed_jobs(commit_sha))
        checks = [check for check in self._failed_checks(commit_sha) if check.output.annotations_count]
        statuses = [status for status in self._statuses(commit_sha) if _failed(status.state)]
        logs = [log for job in jobs[:MOST_LOGS] if (log := self._log(job))]
        annotations = [one for check in checks[:MOST_ANNOTATED_CHECKS] for one in self._annotations(check)]
        notes = [StatusNote(one.context, one.description or "") for one in statuses[:MOST_STATUSES]]
        left_out = len(jobs) - len(logs) + len(checks[MOST_ANNOTATED_CHECKS:]) + len(statuses[MOST_STATUSES:])
        return CiEvidence(tuple(logs), tuple(annotations), tuple(notes), left_out)

    def _failed_jobs(self, commit_sha: str) -> Iterator[_Job]:
        suspects = [run for run in self._runs(commit_sha) if _may_have_failed(run.conclusion)]
        for run in suspects[:MOST_RUNS]:
            pages = list(self._api.pages(_JOBS, "actions", "runs", run.id, "jobs"))
            jobs = [job for page in pages for job in page.jobs]
            check_count(f"the jobs of run {run.id}", len(jobs), max(page.total_count for page in pages))
            if any(job.run_id != run.id for job in jobs):
                raise PartialAnswer(f"the jobs of run {run.id}: one of another run is among them")
            yield from (job for job in jobs if _failed(job.conclusion))

    def _runs(self, commit_sha: str) -> list[_Run]:
        """Read every workflow run of a commit, each as its latest attempt stands."""
        pages = list(self._api.pages(_RUNS, "actions", "runs", head_sha=commit_sha))
        runs = [run for page in pages for run in page.workflow_runs]
        check_count(f"the workflow runs of {commit_sha}", len(runs), max(page.total_count for page in pages))
        if any(run.head_sha != commit_sha for run in runs):
            raise PartialAnswer(f"the workflow runs of {commit_sha}: one of another commit is among them")
        return runs

    def _log(self, job: _Job) -> JobLog | None:
        path = ("actions", "jobs", job.id, "logs")
        try:
            end = self._api.download_end(*path, most=LOG_TAIL_BYTES, max_bytes=MOST_LOG_BYTES)
        except (Gone, Refused):
            return None
        return JobLog(job.name, end.getvalue().decode("utf-8", "replace"), end.cut)

    def _failed_checks(self, commit_sha: str) -> list[_CheckRun]:
        pages = list(self._api.pages(_CHECK_RUNS, "commits", commit_sha, "check-runs", filter="latest"))
        checks = [check for page in pages for check in page.check_runs]
        check_count(f"the check runs of {commit_sha}", len(checks), max(page.total_count for page in pages))
        if any(check.head_sha != commit_sha for check in checks):
            raise PartialAnswer(f"the check runs of {commit_sha}: one of another commit is among them")
        return [check for check in checks if _failed(check.conclusion)]

    def _annotations(self, check: _CheckRun) -> Iterator[Annotation]:
        found = self._api.read(_ANNOTATIONS, "check-runs", check.id, "annotations", per_page=ANNOTATIONS_OF_A_CHECK)
        for one in found[:ANNOTATIONS_OF_A_CHECK]:
            level, title, message = one.annotation_level or "", one.title or "", one.message or ""
            yield Annotation(check.name, one.path, one.start_line, level, title, message)

    def _statuses(self, commit_sha: str) -> list[_Status]:
        pages = list(self._api.pages(_STATUSES, "commits", commit_sha, "status"))
        statuses = [status for page in pages for status in page.statuses]
        check_count(f"the statuses of {commit_sha}", len(statuses), max(page.total_count for page in pages))
        if any(page.sha != commit_sha for page in pages):
            raise PartialAnswer(f"the statuses of {commit_sha}: those of another commit came")
        return statuses


def _failed(conclusion: str | None) -> bool:
    return (conclusion or "").upper() in BAD


def _may_have_failed(conclusion: str | None) -> bool:
    # A run whose other jobs still run has no conclusion yet.
    return conclusion is None or _failed(conclusion)
