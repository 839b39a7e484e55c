"""What every test may ask for."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def repository_root() -> Path:
    """The folder that holds the whole repository."""
    return Path(__file__).parents[1]
