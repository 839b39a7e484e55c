"""``autoswe runs``: record where a run stands that works elsewhere, and read what is on record (feedback §2, §3)."""

import json
from pathlib import Path
from typing import Annotated

import typer

from autoswe.cli.ending import stop

runs = typer.Typer(no_args_is_help=True, help="Record and read the runs that open pull requests.")

Connection = Annotated[str, typer.Option(help="The connection that the repository belongs to.")]


@runs.command("list")
def list_runs(
    repository: Annotated[str, typer.Argument(help="The repository, owner/name.")], connection: Connection = "feedback"
) -> None:
    """Print each run of a repository, as a line of JSON."""
    from autoswe.contracts.records.runs import RunReport  # noqa: PLC0415 - a command's own needs
    from autoswe.runtime.intake.operator import operator_runs  # noqa: PLC0415 - as above
    from autoswe.runtime.operator import RecordsUnavailable  # noqa: PLC0415 - as above

    try:
        with operator_runs() as table:
            found = table.runs(connection, repository)
    except RecordsUnavailable as unavailable:
        stop(f"the records cannot be used: {unavailable}")
    for run in found:
        print(RunReport.of(run).model_dump_json(exclude_none=True))


@runs.command("record")
def record_run(
    file: Annotated[
        Path | None, typer.Argument(help="A file with the whole report as JSON, in place of all options.")
    ] = None,
    connection: Connection = "feedback",
    repository: Annotated[str | None, typer.Option(help="The repository, owner/name.")] = None,
    run_id: Annotated[str | None, typer.Option(help="The run's name in the system that runs it.")] = None,
    kind: Annotated[str, typer.Option(help="tracked_workflow or agent_run.")] = "tracked_workflow",
    author_id: Annotated[int | None, typer.Option(help="The account that opens its pull request, by number.")] = None,
    branch: Annotated[str | None, typer.Option(help="The pull request's head branch.")] = None,
    pull_number: Annotated[int | None, typer.Option(help="The pull request, once it is open.")] = None,
    status: Annotated[str, typer.Option(help="running, awaiting_ci, awaiting_human_merge or ended.")] = "running",
    at: Annotated[str | None, typer.Option(help="When it stood so, in ISO 8601; without it, now.")] = None,
    agent: Annotated[str | None, typer.Option(help="For an agent run: the agent.")] = None,
    scope: Annotated[
        str | None, typer.Option(help="For an agent run: whose agent it is; global, organization, team or personal.")
    ] = None,
    task_file: Annotated[Path | None, typer.Option(help="For an agent run: a file with what it was asked.")] = None,
) -> None:
    """Record a report, as one on the bus is recorded, and print what is on record then."""
    from autoswe.contracts.records.runs import RecordOutcome, ReportInvalid, read_report  # noqa: PLC0415 - a command's own needs
    from autoswe.runtime.intake.operator import operator_run_records  # noqa: PLC0415 - as above
    from autoswe.runtime.operator import RecordsUnavailable  # noqa: PLC0415 - as above
    from autoswe.runtime.process import current  # noqa: PLC0415 - as above
    from autoswe.steps.intake.record_run import record_run as record  # noqa: PLC0415 - as above

    asked = {
        "kind": kind,
        "connection": connection,
        "repository": repository,
        "run_id": run_id,
        "author_id": author_id,
        "branch": branch,
        "status": status,
        "reported_at": at or current().now().isoformat(),
        "pull_number": pull_number,
        "agent": agent,
        "scope": scope,
        "task": _read(task_file) if task_file else None,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    try:
        report = read_report(_read(file) if file else json.dumps(given))
        with operator_run_records() as ports:
            recorded = record(report, ports)
    except ReportInvalid as invalid:
        stop(str(invalid))
    except RecordsUnavailable as unavailable:
        stop(f"the records cannot be used: {unavailable}")
    if recorded.outcome is RecordOutcome.REFUSED:
        stop(str(recorded.sentence))
    print(recorded.model_dump_json(exclude_none=True))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        stop(f"{file} cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        stop(f"{file} is no text in UTF-8")
