"""The table that tests of its adapters start from: empty."""

from collections.abc import Iterator

import pytest

from tests.support.feedback.state import MockState, mock_state


@pytest.fixture
def state() -> Iterator[MockState]:
    with mock_state() as mocked:
        yield mocked
