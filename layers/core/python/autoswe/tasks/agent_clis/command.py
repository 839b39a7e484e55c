"""A program of the deployment's own choice: it reads the prompt from standard input and prints the answer alone."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from autoswe.contracts.containers import Command, Usage
from autoswe.tasks.agent_clis.cli import COMMAND, CREDENTIAL, MODEL, Cli, Launch, Reply, Settings
from autoswe.tasks.container.failure import TaskFailed

_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)


def launch(settings: Settings, _home: Path) -> Launch:
    """Start it with the credential and the model's name, where the deployment names them, under our own names."""
    try:
        command = _COMMAND.validate_json(settings.require(COMMAND))
    except ValidationError:
        raise TaskFailed(f"the environment variable {COMMAND} is no JSON list of a program and its arguments") from None
    variables = {name: settings.get(name) for name in (CREDENTIAL, MODEL)}
    return Launch(command, {name: value for name, value in variables.items() if value})


def read_reply(output: bytes, _home: Path) -> Reply | None:
    """Take all of it: there is no event that could say more than the program's exit code does."""
    return Reply(output.decode(errors="replace"), Usage())


COMMAND_LINE = Cli("command", launch, read_reply)
