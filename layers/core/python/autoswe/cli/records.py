"""The records that commands work on, opened when a command needs them: a plain ``--help`` imports no client."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from autoswe.cli.ending import stop

if TYPE_CHECKING:
    from autoswe.runtime.operator import RecordTable


@contextmanager
def open_records() -> "Iterator[RecordTable]":
    """Open the table that the environment names; what it refuses ends the program."""
    from autoswe.runtime.operator import RecordsUnavailable, operator_records  # noqa: PLC0415 - see above

    try:
        with operator_records() as records:
            yield records
    except RecordsUnavailable as unavailable:
        stop(f"the records cannot be used: {unavailable}")
