"""``autoswe review run`` and ``report``: start a review run, and read what one reported (review §9.1, §18.7)."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from autoswe.cli.ending import stop

if TYPE_CHECKING:
    from autoswe.contracts.review.run import ReviewInput
    from autoswe.runtime.review.operator import ReportReading

LATEST = "latest"
"""What ``--run`` names the report by that was written last."""


def run(
    org: Annotated[str, typer.Option(help="The organisation whose pull requests are reviewed.")],
    dry_run: Annotated[bool | None, typer.Option(help="Report what would be approved, and approve nothing.")] = None,
    model: Annotated[str | None, typer.Option(help="The model, by its name or identifier.")] = None,
    approve_tiers: Annotated[
        str | None, typer.Option(help="What may be approved: trivial,low-risk or trivial or none.")
    ] = None,
    pull_requests: Annotated[
        str | None, typer.Option(help="Pull requests in place of a scan: repo#N or the page's address, with commas.")
    ] = None,
    repositories: Annotated[str | None, typer.Option(help="Repositories to scan, without their owner.")] = None,
    exclude_repos: Annotated[
        str | None, typer.Option(help="Repositories to leave out, in place of the deployment's list.")
    ] = None,
    max_pull_requests: Annotated[int | None, typer.Option(help="How many to review: 0 to 256; 0 is 256.")] = None,
    max_concurrent_agents: Annotated[int | None, typer.Option(help="Sessions at once: 1 to 30.")] = None,
    max_runtime_minutes: Annotated[int | None, typer.Option(help="How long a session may last.")] = None,
    reassess: Annotated[bool | None, typer.Option(help="Look again at heads that the ledger holds.")] = None,
    skip_agent: Annotated[bool | None, typer.Option(help="Select and report without sessions.")] = None,
    connection: Annotated[str, typer.Option(help="The connection of the review App.")] = "review",
    replay_of: Annotated[
        str | None, typer.Option(help="The ARN of the execution that began the run which is to be gone on with.")
    ] = None,
) -> None:
    """Start a review run and print its execution's ARN; what is not given has the default of review §9.1.

    Bad inputs are told at once and start nothing. Everything else is judged by the run itself, before any token.
    """
    from autoswe.rules.review.run.inputs import BadInputs  # noqa: PLC0415 - a command's own needs
    from autoswe.runtime.process import current  # noqa: PLC0415 - as above
    from autoswe.runtime.review.operator import RecordsUnavailable, operator_review_start  # noqa: PLC0415 - as above
    from autoswe.steps.review.preflight import type_inputs  # noqa: PLC0415 - as above

    asked = {
        "org": org,
        "dry_run": dry_run,
        "model": model,
        "approve_tiers": approve_tiers,
        "pull_requests": pull_requests,
        "repositories": repositories,
        "exclude_repos": exclude_repos,
        "max_pull_requests": max_pull_requests,
        "max_concurrent_agents": max_concurrent_agents,
        "max_runtime_minutes": max_runtime_minutes,
        "reassess": reassess,
        "skip_agent": skip_agent,
    }
    given = _execution_input(connection, {name: value for name, value in asked.items() if value is not None}, replay_of)
    try:
        with operator_review_start() as start:
            known = start.records.connection(connection)
            if known is None:
                stop(f"there is no connection {connection} of a review App")
            inputs = type_inputs(given.inputs, known)
            if isinstance(inputs, BadInputs):
                stop("\n".join(bad.sentence for bad in inputs.found))
            name = f"person-{inputs.org}-{current().now():%Y%m%dT%H%M%SZ}"
            execution = start.executions.begin(name, given.model_dump_json(exclude_defaults=True))
    except RecordsUnavailable as unavailable:
        stop(f"no run can be started: {unavailable}")
    if execution is None:
        stop(f"another run was started as {name}: try again in a second")
    print(execution)


def report(
    run: Annotated[
        str, typer.Option(help="The run, by its namespace or the ARN of the execution that began it.")
    ] = LATEST,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json in place of report.md.")] = False,
) -> None:
    """Print the report of a run's last attempt: of the latest run, unless another is named."""
    from autoswe.runtime.review.operator import RecordsUnavailable, operator_reports  # noqa: PLC0415 - a command's own needs

    try:
        with operator_reports() as reading:
            (_print_document if as_json else _print_page)(reading, *_find(reading, run))
    except RecordsUnavailable as unavailable:
        stop(f"the reports cannot be read: {unavailable}")


def _execution_input(connection: str, inputs: dict[str, str | int | bool], replay_of: str | None) -> "ReviewInput":
    from pydantic import ValidationError  # noqa: PLC0415 - a command's own needs

    from autoswe.contracts.review.run import ReviewInput  # noqa: PLC0415 - as above

    try:
        return ReviewInput(connection=connection, inputs={**inputs}, replay_of=replay_of)
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        stop(f"--{str(first['loc'][0]).replace('_', '-')} is wrong: {first['msg']}")


def _find(reading: "ReportReading", run: str) -> tuple[str, int]:
    from autoswe.rules.review.run.naming import NAMESPACE, namespace_of  # noqa: PLC0415 - a command's own needs

    if run == LATEST:
        found = reading.reports.latest()
    elif run.startswith("arn:"):
        found = reading.reports.of(namespace_of(run))
    elif NAMESPACE.fullmatch(run):
        found = reading.reports.of(run)
    else:
        stop(f"{run!r} names no run: it must be {LATEST}, a namespace, or an execution's ARN")
    if found is None:
        stop("there is no report" if run == LATEST else f"there is no report of {run}")
    return found.namespace, found.attempt


def _print_page(reading: "ReportReading", namespace: str, attempt: int) -> None:
    """Print ``report.md``: to a terminal as it reads, elsewhere as it is written."""
    page = _fetch(reading, namespace, attempt, "report.md").decode()
    if not sys.stdout.isatty():
        print(page, end="")
        return
    from rich.console import Console  # noqa: PLC0415 - a command's own needs
    from rich.markdown import Markdown  # noqa: PLC0415 - as above

    Console().print(Markdown(page))


def _print_document(reading: "ReportReading", namespace: str, attempt: int) -> None:
    from autoswe.contracts.review.reading import DocumentRefused, read_document  # noqa: PLC0415 - a command's own needs
    from autoswe.contracts.review.report import MAX_REPORT_BYTES, ReportDocument  # noqa: PLC0415 - as above

    stored = _fetch(reading, namespace, attempt, "report.json")
    try:
        document = read_document(ReportDocument, stored, name="report.json", max_bytes=MAX_REPORT_BYTES)
    except DocumentRefused as refused:
        stop(str(refused))
    print(document.model_dump_json(by_alias=True, indent=2, ensure_ascii=True))


def _fetch(reading: "ReportReading", namespace: str, attempt: int, name: str) -> bytes:
    from autoswe.contracts.review.report import MAX_REPORT_BYTES  # noqa: PLC0415 - a command's own needs
    from autoswe.rules.review.run.naming import report_key  # noqa: PLC0415 - as above
    from autoswe.runtime.review.operator import ArtifactRefused  # noqa: PLC0415 - as above

    try:
        return reading.artifacts.fetch(report_key(namespace, attempt, name), MAX_REPORT_BYTES)
    except ArtifactRefused as refused:
        stop(str(refused))
