from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.github.against_host.story import Story, tell


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with tell(tmp_path) as told:
        yield told
