"""What the tests of the containers share."""

from collections.abc import Iterator

import pytest

from tests.tasks.presigned_storage import PresignedStorage, serving


@pytest.fixture
def storage() -> Iterator[PresignedStorage]:
    with serving() as served:
        yield served
