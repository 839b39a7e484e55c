"""What one look at CI reads, in one query where no list has more than 100 entries.

Sources: "Objects: StatusCheckRollup, CheckSuite, Ref". A rerun reports in the suite of what it repeats, and the suite
stands as its latest attempt does.
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from autoswe.contracts.model import Count, PositiveInt, Sha
from autoswe.github.transport.connections import MOST_PAGES_OF_A_LIST, N, Page, Reading, check_count
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, PageInfo
from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.rules.github.facts import Check, Checks, CiReading, Reporter, RequiredCheck, WorkflowRun

_PENDING_STATES = {"PENDING", "EXPECTED"}
_AWAITED = "EXPECTED"


class _App(GraphqlShape):
    database_id: int | None


class _SuiteOfCheck(GraphqlShape):
    app: _App | None
    database_id: int | None = None

    @property
    def app_id(self) -> int | None:
        return self.app.database_id if self.app else None


class _NamedCheck(GraphqlShape):
    kind: Literal["CheckRun"] = Field(alias="__typename")
    name: str
    check_suite: _SuiteOfCheck

    def reporter(self) -> Reporter:
        return Reporter(self.name, self.check_suite.app_id, is_status=False)


class _NamedStatus(GraphqlShape):
    kind: Literal["StatusContext"] = Field(alias="__typename")
    context: str
    state: str

    def reporter(self) -> Reporter | None:
        """Say who reported; a status that is only awaited is nobody's report."""
        return None if self.state == _AWAITED else Reporter(self.context, None, is_status=True)


class _CheckRun(_NamedCheck):
    status: str
    conclusion: str | None
    completed_at: AwareDatetime | None
    is_required: bool

    def check(self) -> Check:
        return Check(
            self.name,
            self.status == "COMPLETED",
            self.conclusion,
            app_id=self.check_suite.app_id,
            completed_at=self.completed_at,
            suite_id=self.check_suite.database_id,
            is_required=self.is_required,
        )


class _StatusContext(_NamedStatus):
    is_required: bool

    def check(self) -> Check:
        completed = self.state not in _PENDING_STATES
        return Check(self.context, completed, self.state, is_status=True, is_required=self.is_required)


_Report = Annotated[_CheckRun | _StatusContext, Field(discriminator="kind")]
_Named = Annotated[_NamedCheck | _NamedStatus, Field(discriminator="kind")]


class _Counted(Page[N]):
    total_count: Count


class _Reports(GraphqlShape):
    contexts: _Counted[_Report]


class _ReportsBefore(GraphqlShape):
    contexts: _Counted[_Named]


class _Summary(GraphqlShape):
    state: str


class _RunFile(GraphqlShape):
    path: str


class _WorkflowRun(GraphqlShape):
    database_id: PositiveInt
    event: str
    file: _RunFile | None


class _NamedRun(GraphqlShape):
    name: str


class _CheckRuns(GraphqlShape):
    nodes: list[_NamedRun]


class _Suite(GraphqlShape):
    status: str
    conclusion: str | None
    check_runs: _CheckRuns | None
    workflow_run: _WorkflowRun | None

    @property
    def is_empty(self) -> bool:
        return self.status != "COMPLETED" and (self.check_runs is None or not self.check_runs.nodes)

    def run(self) -> WorkflowRun | None:
        run = self.workflow_run
        if run is None:
            return None
        return WorkflowRun(self.status, self.conclusion, run.file.path if run.file else "", run.event, run.database_id)


class _Pushed(GraphqlShape):
    oid: Sha
    summary: _Summary | None
    reports: _Reports | None
    check_suites: _Counted[_Suite] | None


class _Reviewed(GraphqlShape):
    oid: Sha
    reports: _ReportsBefore | None


class _RequiredCheck(GraphqlShape):
    context: str
    integration_id: int | None


class _Parameters(GraphqlShape):
    required_status_checks: list[_RequiredCheck] | None = None


class _Rule(GraphqlShape):
    type: str
    parameters: _Parameters | None


class _Rules(GraphqlShape):
    page_info: PageInfo
    nodes: list[_Rule]


class _UpdateRule(GraphqlShape):
    required_status_check_contexts: list[str] | None


class _Base(GraphqlShape):
    ref_update_rule: _UpdateRule | None
    rules: _Rules | None


class _Pull(GraphqlShape):
    head_ref_oid: Sha
    base_ref: _Base | None = None


class _Repository(GraphqlShape):
    pull_request: _Pull
    pushed: _Pushed | None
    reviewed: _Reviewed | None


class _Data(GraphqlShape):
    repository: _Repository


class _Answer(GraphqlShape):
    data: _Data


_ANSWER = TypeAdapter(_Answer)


class CiReadings(Resource):
    """Reads CI."""

    def ci(self, pull_number: int, pushed_sha: str, reviewed_sha: str) -> CiReading:
        """Read where a pull request stands, and everything that reports on the commit that was pushed to it.

        ``Gone`` when the host knows no such pull request, or not the pushed commit. No rollup means that nothing has
        reported; reports that may not be seen are ``Forbidden``, and lists that are shorter than the host counts them
        ``PartialAnswer``. What the base branch requires is absent where it may not be seen or is not whole; so is what
        had reported on the reviewed commit where the host does not know that commit. States and conclusions that we do
        not know are passed on as they are, as completed.
        """
        try:
            return self._read(pull_number, pushed_sha, reviewed_sha, base=True)
        except (Forbidden, PartialAnswer):
            # A failure is told whatever the base branch requires; only who may read that alone differs.
            return self._read(pull_number, pushed_sha, reviewed_sha, base=False)

    def _read(self, number: int, pushed: str, reviewed: str, *, base: bool) -> CiReading:
        contexts, suites, before = Reading[_Report](), Reading[_Suite](), Reading[_Named]()
        for _ in range(MOST_PAGES_OF_A_LIST):
            cursors = {"contexts": contexts.cursor, "suites": suites.cursor, "before": before.cursor}
            found = self._api.query(
                _ANSWER, "ci_reading", number=number, pushed=pushed, reviewed=reviewed, base=base, **cursors
            ).data.repository
            commit = _bound(found, pushed, reviewed)
            contexts = _take(contexts, commit.reports.contexts if commit.reports else None)
            suites = _take(suites, commit.check_suites)
            earlier = found.reviewed.reports if found.reviewed else None
            before = _take(before, earlier.contexts if earlier else None)
            if not (contexts.goes_on or suites.goes_on or before.goes_on):
                return _reading(found, commit, contexts.nodes, suites.nodes, before.nodes, base=base)
        raise PartialAnswer(f"what reports on {pushed}: more than {MOST_PAGES_OF_A_LIST} pages")


def _bound(found: _Repository, pushed: str, reviewed: str) -> _Pushed:
    """Return the pushed commit, once everything is about what was asked for."""
    commit = found.pushed
    if commit is None:
        raise Gone(f"commit {pushed} does not exist")
    if commit.oid != pushed or (found.reviewed is not None and found.reviewed.oid != reviewed):
        raise PartialAnswer(f"commit {pushed} was asked for, {commit.oid} came")
    if (commit.summary is None) != (commit.reports is None):
        raise PartialAnswer(f"the checks of {pushed}: a summary without reports, or reports without one")
    if commit.check_suites is None:
        raise PartialAnswer(f"the check suites of {pushed} are not told")
    return commit


def _take(reading: Reading[N], page: _Counted[N] | None) -> Reading[N]:
    """Add a page; a commit that nothing reports on has no list, and one that had begun does not vanish."""
    if page is None:
        if reading.nodes:
            raise PartialAnswer("a list of reports broke off")
        return Reading(goes_on=False)
    reading.take(page)
    if not reading.goes_on:
        check_count("the reports on a commit", len(reading.nodes), page.total_count)
    return reading


def _reading(
    found: _Repository,
    commit: _Pushed,
    contexts: Iterable[_Report],
    suites: list[_Suite],
    before: Iterable[_Named],
    *,
    base: bool,
) -> CiReading:
    checks = Checks(
        commit.summary.state if commit.summary else None,
        tuple(node.check() for node in contexts),
        tuple(run for suite in suites if (run := suite.run())),
        sum(suite.is_empty for suite in suites),
    )
    reported = frozenset(one for node in before if (one := node.reporter()))
    required = _required(found.pull_request.base_ref) if base else None
    return CiReading(found.pull_request.head_ref_oid, checks, required, reported if found.reviewed else None)


def _required(base: _Base | None) -> tuple[RequiredCheck, ...] | None:
    """Say what rulesets and the classic protection require together; ``None`` where that is not told whole."""
    if base is None or base.rules is None or base.rules.page_info.has_next_page:
        return None
    classic = base.ref_update_rule.required_status_check_contexts or [] if base.ref_update_rule else []
    found = [RequiredCheck(context, host_decides=True) for context in classic]
    for rule in base.rules.nodes:
        if rule.type == "REQUIRED_STATUS_CHECKS":
            if rule.parameters is None or rule.parameters.required_status_checks is None:
                return None
            found += [_of_rule(check) for check in rule.parameters.required_status_checks]
    return tuple(dict.fromkeys(found))


def _of_rule(check: _RequiredCheck) -> RequiredCheck:
    # Any App is written as no number, and was written as -1.
    app_id = check.integration_id
    return RequiredCheck(check.context, app_id if app_id is not None and app_id > 0 else None)
