"""Everything that reports on a commit.

Sources: "Objects: StatusCheckRollup", "List workflow runs for a repository", "List check suites for a Git reference".
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from autoswe.contracts.model import Count, PositiveInt, Sha
from autoswe.github.transport.api import MOST_PAGES, Api
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, PageInfo, Shape
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Check, Checks, WorkflowRun

_PENDING_STATES = {"PENDING", "EXPECTED"}


class _App(GraphqlShape):
    database_id: int | None


class _Suite(GraphqlShape):
    app: _App | None


class _CheckRun(GraphqlShape):
    kind: Literal["CheckRun"] = Field(alias="__typename")
    name: str
    status: str
    conclusion: str | None
    completed_at: AwareDatetime | None
    check_suite: _Suite

    def check(self) -> Check:
        return Check(
            self.name,
            self.status == "COMPLETED",
            self.conclusion,
            app_id=self.check_suite.app.database_id if self.check_suite.app else None,
            completed_at=self.completed_at,
        )


class _StatusContext(GraphqlShape):
    kind: Literal["StatusContext"] = Field(alias="__typename")
    context: str
    state: str

    def check(self) -> Check:
        return Check(self.context, self.state not in _PENDING_STATES, self.state, is_status=True)


class _Contexts(GraphqlShape):
    total_count: Count
    page_info: PageInfo
    nodes: list[Annotated[_CheckRun | _StatusContext, Field(discriminator="kind")]]


class _Reports(GraphqlShape):
    contexts: _Contexts


class _Summary(GraphqlShape):
    state: str


class _Commit(GraphqlShape):
    oid: Sha
    summary: _Summary | None
    reports: _Reports | None


class _Repository(GraphqlShape):
    object: _Commit | None


class _Data(GraphqlShape):
    repository: _Repository


class _Answer(GraphqlShape):
    data: _Data


class _Run(Shape):
    id: PositiveInt
    name: str | None
    path: str
    head_sha: Sha
    status: str
    conclusion: str | None


class _Runs(Shape):
    total_count: Count
    workflow_runs: list[_Run]


class _ListedSuite(Shape):
    head_sha: Sha
    status: str | None
    latest_check_runs_count: Count


class _Suites(Shape):
    total_count: Count
    check_suites: list[_ListedSuite]


_ANSWER = TypeAdapter(_Answer)
_RUNS = TypeAdapter(_Runs)
_SUITES = TypeAdapter(_Suites)


class CommitChecks(Resource):
    """Reads what reports on a commit."""

    def checks(self, commit_sha: str) -> Checks:
        """Read the rollup, every check, every workflow run and every check suite of a commit.

        No rollup means that nothing has reported; one that may not be seen is ``Forbidden``, and lists that are shorter
        than the host counts them ``PartialAnswer``. States and conclusions that we do not know are passed on as they
        are, as completed.
        """
        commits = list(self._pages(commit_sha))
        contexts = [commit.reports.contexts for commit in commits if commit.reports]
        checks = tuple(node.check() for page in contexts for node in page.nodes)
        check_count(f"the checks of {commit_sha}", len(checks), max((page.total_count for page in contexts), default=0))
        summary = commits[-1].summary
        return Checks(
            summary.state if summary else None, checks, read_runs(self._api, commit_sha), self._empty_suites(commit_sha)
        )

    def _pages(self, commit_sha: str) -> Iterator[_Commit]:
        cursor = None
        for _ in range(MOST_PAGES):
            commit = self._api.query(_ANSWER, "check_rollup", oid=commit_sha, after=cursor).data.repository.object
            if commit is None:
                raise Gone(f"commit {commit_sha} does not exist")
            if commit.oid != commit_sha:
                raise PartialAnswer(f"commit {commit_sha} was asked for, {commit.oid} came")
            if (commit.summary is None) != (commit.reports is None):
                raise PartialAnswer(f"the checks of {commit_sha}: a summary without reports, or reports without one")
            yield commit
            page = commit.reports.contexts.page_info if commit.reports else None
            if page is None or not page.has_next_page:
                return
            if page.end_cursor is None or page.end_cursor == cursor:
                raise PartialAnswer(f"the checks of {commit_sha}: there are more, but not where to find them")
            cursor = page.end_cursor
        raise PartialAnswer(f"the checks of {commit_sha}: more than {MOST_PAGES} pages")

    def _empty_suites(self, commit_sha: str) -> int:
        pages = list(self._api.pages(_SUITES, "commits", commit_sha, "check-suites"))
        suites = [suite for page in pages for suite in page.check_suites]
        check_count(f"the check suites of {commit_sha}", len(suites), max(page.total_count for page in pages))
        if any(suite.head_sha != commit_sha for suite in suites):
            raise PartialAnswer(f"the check suites of {commit_sha}: one of another commit is among them")
        return sum(suite.status != "completed" and suite.latest_check_runs_count == 0 for suite in suites)


def read_runs(api: Api, commit_sha: str) -> tuple[WorkflowRun, ...]:
    """Read every workflow run of a commit; a list that is not whole or not the commit's is ``PartialAnswer``."""
    pages = list(api.pages(_RUNS, "actions", "runs", head_sha=commit_sha))
    runs = [run for page in pages for run in page.workflow_runs]
    check_count(f"the workflow runs of {commit_sha}", len(runs), max(page.total_count for page in pages))
    if any(run.head_sha != commit_sha for run in runs):
        raise PartialAnswer(f"the workflow runs of {commit_sha}: one of another commit is among them")
    return tuple(WorkflowRun(run.name or run.path, run.status, run.conclusion, run.path, run.id) for run in runs)


def check_count(what: str, count: int, expected: int) -> None:
    """Raise ``PartialAnswer`` when fewer things came than the host counts."""
    if count < expected:
        raise PartialAnswer(f"{what}: {count} came, the host counts {expected}")
