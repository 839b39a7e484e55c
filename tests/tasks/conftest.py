"""What the tests of the containers share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tasks.containers import Task
from tests.tasks.presigned_storage import PresignedStorage, serving


@pytest.fixture
def storage() -> Iterator[PresignedStorage]:
    with serving() as served:
        yield served


@pytest.fixture
def task(storage: PresignedStorage, tmp_path: Path) -> Task:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Task(storage, scratch)
