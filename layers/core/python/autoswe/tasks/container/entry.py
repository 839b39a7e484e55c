"""What all three containers do around their work: read the manifest, do the work, say in one line what went wrong."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from autoswe.contracts.model import Contract
from autoswe.rules.source.archive import SourceRefused
from autoswe.tasks.container.documents import parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.processes import hide_memory, kill_descendants
from autoswe.tasks.container.transfer import Transfer, open_client

MANIFEST_URL = "AUTOSWE_MANIFEST_URL"
"""The variable with the presigned address of the container's manifest."""

SCRATCH = "AUTOSWE_SCRATCH"
"""The variable with the folder that the task's containers share."""

MAX_MANIFEST_BYTES = 256 * 1024

M = TypeVar("M", bound=Contract)

logger = logging.getLogger(__name__)


def run_container(model: type[M], work: Callable[[M, Path, Transfer], None]) -> int:
    """Do ``work`` with the manifest that the environment names; returns the container's exit code.

    0 when the work was done; 1 with one line on standard error when it could not be done; 143 when TERM ended it. In
    every case no program that it started is left behind.
    """
    hide_memory()
    os.umask(0o022)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(128 + signal.SIGTERM))
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    # httpx logs whole addresses at INFO, and ours are credentials.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        url, scratch = _read_variable(os.environ, MANIFEST_URL), Path(_read_variable(os.environ, SCRATCH))
        with open_client() as client:
            transfer = Transfer(client)
            manifest = parse(model, transfer.fetch(url, "the manifest", MAX_MANIFEST_BYTES), "the manifest")
            work(manifest, scratch, transfer)
    except (TaskFailed, SourceRefused) as error:
        logger.error("%s", error)  # noqa: TRY400 - the sentence is the message; a trace would bury it
        return 1
    except OSError as error:
        logger.error("the container's own file system failed: %s", error)  # noqa: TRY400 - as above
        return 1
    finally:
        kill_descendants(spared=frozenset())
    return 0


def _read_variable(environment: Mapping[str, str], name: str) -> str:
    value = environment.get(name, "")
    if not value:
        raise TaskFailed(f"the environment variable {name} is not set")
    return value
