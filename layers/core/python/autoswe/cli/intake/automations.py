"""``autoswe automations``: read and save a connection's automations (feedback §1, §6)."""

import json
from typing import Annotated

import typer

from autoswe.cli.ending import stop
from autoswe.cli.records import open_records

automations = typer.Typer(no_args_is_help=True, help="Read and save a connection's automations.")

Connection = Annotated[str, typer.Option(help="The connection that they belong to.")]


@automations.command("list")
def list_automations(connection: Connection = "feedback") -> None:
    """Print each automation of a connection, as a line of JSON."""
    with open_records() as records:
        for automation in records.automations(connection):
            print(automation.model_dump_json())


@automations.command("save")
def save_automation(
    automation_id: Annotated[str, typer.Argument(help="The automation's id; what it was before is replaced.")],
    connection: Connection = "feedback",
    repository: Annotated[
        list[str] | None, typer.Option(help="A repository, owner/name; again for more, none for all of them.")
    ] = None,
    trigger: Annotated[list[str] | None, typer.Option(help="changes_requested or command; without any, both.")] = None,
    pull_requests: Annotated[list[str] | None, typer.Option(help="platform or others; without any, platform.")] = None,
    max_rounds: Annotated[int, typer.Option(help="Pushed rounds on one pull request, 1 to 20.")] = 5,
    max_ci_fix_attempts: Annotated[int, typer.Option(help="Follow-ups of a failed CI in a round, 0 or 1.")] = 1,
    enabled: Annotated[bool, typer.Option(help="Whether it acts at all.")] = True,
) -> None:
    """Save an automation, unless it selects what it may not act on."""
    from pydantic import ValidationError  # noqa: PLC0415 - a command's own needs

    from autoswe.contracts.records.platform import Automation  # noqa: PLC0415 - as above
    from autoswe.steps.intake.save_automation import save_automation as save  # noqa: PLC0415 - as above

    asked = {
        "automation_id": automation_id,
        "enabled": enabled,
        "repositories": repository or [],
        "max_rounds": max_rounds,
        "max_ci_fix_attempts": max_ci_fix_attempts,
        **({"triggers": trigger} if trigger else {}),
        **({"pull_requests": pull_requests} if pull_requests else {}),
    }
    try:
        automation = Automation.model_validate_json(json.dumps(asked))
    except ValidationError as invalid:
        first = invalid.errors(include_url=False)[0]
        stop(f"{'.'.join(map(str, first['loc']))} cannot be {first['input']!r}: {first['msg']}")
    with open_records() as records:
        refused = save(connection, automation, records)
    if refused is not None:
        stop(refused.sentence)
    print(automation.model_dump_json())
