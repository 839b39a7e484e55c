import pytest

from tests.adapters.github.scripted import Script


@pytest.fixture
def script() -> Script:
    return Script()
