"""What the tests of the review container share."""

from pathlib import Path

import pytest

from tests.tasks.container.presigned_storage import PresignedStorage
from tests.tasks.review.sessions import ReviewTask


@pytest.fixture
def session(storage: PresignedStorage, tmp_path: Path) -> ReviewTask:
    scratch, programs = tmp_path / "scratch", tmp_path / "bin"
    scratch.mkdir()
    programs.mkdir()
    return ReviewTask(storage, scratch, programs)
