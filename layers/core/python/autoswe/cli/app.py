"""The ``autoswe`` program: its own commands, and those that other packages plug in."""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

import typer

from autoswe.cli.feedback.why import why
from autoswe.cli.intake.automations import automations
from autoswe.cli.intake.deliver import deliver
from autoswe.cli.intake.runs import runs
from autoswe.cli.review.commands import review
from autoswe.cli.settings import settings

PLUG_INS = "autoswe.commands"
"""The entry-point group whose members are commands: the name is the command's, the object its function."""


def assemble(plug_ins: Iterable[EntryPoint]) -> typer.Typer:
    """Put the program together; a plug-in that is not installed stays a command, which says what it misses."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, help="Work with auto-swe from a terminal.")
    app.callback()(_program)
    app.command()(deliver)
    app.command()(why)
    app.add_typer(settings, name="settings")
    app.add_typer(automations, name="automations")
    app.add_typer(runs, name="runs")
    app.add_typer(review, name="review")
    for plug_in in plug_ins:
        app.command(plug_in.name)(_load(plug_in))
    return app


def main() -> None:
    """Run the command that the arguments name."""
    assemble(entry_points(group=PLUG_INS))()


def _program() -> None:
    """Make room for several commands even while there is but one."""


def _load(plug_in: EntryPoint) -> Callable[..., None]:
    try:
        command: Callable[..., None] = plug_in.load()
    except ModuleNotFoundError as missing:
        return _unavailable(f"{plug_in.name} is not installed here: there is no module {missing.name}")
    return command


def _unavailable(sentence: str) -> Callable[[], None]:
    def unavailable() -> None:
        """Say what is missing: this command is not installed here."""
        typer.echo(sentence, err=True)
        raise typer.Exit(2)

    return unavailable
