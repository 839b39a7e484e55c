"""What every test may ask for."""

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does; speed is the bench's business.
settings.register_profile("auto-swe", deadline=None, max_examples=50)
settings.register_profile("soak", deadline=None, max_examples=500)
settings.load_profile("auto-swe")


@pytest.fixture(scope="session")
def repository_root() -> Path:
    """The folder that holds the whole repository."""
    return Path(__file__).parents[1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that is left to ``make soak`` and does not say what it proves that the test run does not."""
    for item in items:
        for marker in item.iter_markers("soak"):
            if not marker.kwargs.get("reason"):
                raise pytest.UsageError(f"{item.nodeid}: mark it soak(reason=...)")
