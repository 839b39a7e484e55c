"""``autoswe why``: what happened on a pull request, and why (architecture §4)."""

import re
from typing import Annotated

import typer

from autoswe.cli.ending import stop

_PULL = re.compile(r"(?P<repository>[^/#\s]+/[^/#\s]+)#(?P<number>[1-9][0-9]{0,9})")


def why(
    pull: Annotated[str, typer.Argument(help="The pull request: OWNER/REPO#NUMBER.", metavar="OWNER/REPO#NUMBER")],
    connection: Annotated[str, typer.Option(help="The connection that it belongs to.")] = "feedback",
) -> None:
    """Print every delivery, decision, skip, round and write of a pull request in order."""
    from autoswe.rules.feedback.history import tell  # noqa: PLC0415 - a command's own needs
    from autoswe.runtime.feedback.operator import operator_history  # noqa: PLC0415 - as above
    from autoswe.runtime.operator import RecordsUnavailable  # noqa: PLC0415 - as above

    named = _PULL.fullmatch(pull)
    if named is None:
        stop(f"{pull!r} names no pull request: it must be OWNER/REPO#NUMBER")
    try:
        with operator_history() as history:
            lines = tell(history.events(connection, named["repository"], int(named["number"])))
    except RecordsUnavailable as unavailable:
        stop(f"the records cannot be used: {unavailable}")
    if not lines:
        stop(f"nothing is on record of {pull} on the connection {connection}")
    for line in lines:
        print(f"{line.at}  {line.sentence}")
