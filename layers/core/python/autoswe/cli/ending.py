"""How a command ends that cannot do what it was asked."""

from typing import NoReturn

import typer


def stop(sentence: str) -> NoReturn:
    """Say in one sentence why, and end the program with exit code 2."""
    typer.echo(sentence, err=True)
    raise typer.Exit(2)
