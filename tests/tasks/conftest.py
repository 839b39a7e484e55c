"""What the tests of the containers share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from autoswe.tasks.container.transfer import Transfer, open_client
from tests.tasks.container.presigned_storage import PresignedStorage, serving
from tests.tasks.containers import Task


@pytest.fixture
def storage() -> Iterator[PresignedStorage]:
    with serving() as served:
        yield served


@pytest.fixture(scope="session")
def client() -> Iterator[httpx.Client]:
    with open_client() as opened:
        yield opened


@pytest.fixture
def pauses() -> list[float]:
    """How long the transfer would have waited, in seconds."""
    return []


@pytest.fixture
def transfer(client: httpx.Client, pauses: list[float]) -> Transfer:
    return Transfer(client, pauses.append)


@pytest.fixture
def task(storage: PresignedStorage, tmp_path: Path) -> Task:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Task(storage, scratch)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that programs of any user reach and may write to."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)
