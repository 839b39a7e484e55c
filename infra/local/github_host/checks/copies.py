"""What CI said in a repository at one moment, kept as it was."""

from __future__ import annotations

import copy

from infra.local.github_host.checks.checks import Checks, CheckSuite, WorkflowRun


def fingerprint(checks: Checks) -> object:
    """Return a value that differs whenever a copy would."""
    return (
        [
            (suite.id, [(run.id, run.status, run.conclusion, len(run.annotations), run.log) for run in suite.runs])
            for suite in checks.suites
        ],
        [(run.id, run.status, run.conclusion) for run in checks.workflow_runs],
        [status.id for status in (*checks.statuses, *checks.expected)],
    )


def copy_checks(checks: Checks) -> Checks:
    """Copy suites, runs and workflow runs; statuses never change."""
    workflows = {run.id: copy.copy(run) for run in checks.workflow_runs}
    return Checks(
        suites=[_copy_suite(suite, workflows) for suite in checks.suites],
        statuses=list(checks.statuses),
        expected=list(checks.expected),
        workflow_runs=list(workflows.values()),
    )


def _copy_suite(suite: CheckSuite, workflows: dict[int, WorkflowRun]) -> CheckSuite:
    copied = copy.copy(suite)
    if suite.workflow_run is not None:
        copied.workflow_run = workflows[suite.workflow_run.id]
    copied.runs = [copy.copy(run) for run in suite.runs]
    for run in copied.runs:
        run.suite, run.annotations = copied, list(run.annotations)
    return copied
