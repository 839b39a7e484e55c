"""What every test may ask for."""

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does; speed is the bench's business.
settings.register_profile("auto-swe", deadline=None)
settings.load_profile("auto-swe")


@pytest.fixture(scope="session")
def repository_root() -> Path:
    """The folder that holds the whole repository."""
    return Path(__file__).parents[1]
