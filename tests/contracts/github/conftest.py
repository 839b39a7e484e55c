"""What the tests of the local GitHub host share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.github_host.webhooks.payloads import EVENTS, UNASKED
from tests.contracts.github.receiver import SECRET, Receiver, open_receiver
from tests.contracts.github.scene import Scene, open_scene


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Scene]:
    """Give a test the small GitHub."""
    with open_scene(tmp_path) as scene:
        yield scene


@pytest.fixture
def receiver(github: Scene) -> Iterator[Receiver]:
    """Let the App of the small GitHub hear of everything, and remember it."""
    with open_receiver() as listening:
        github.app.events = tuple(sorted(EVENTS - UNASKED))
        github.app.webhook_url, github.app.webhook_secret = listening.url, SECRET
        yield listening


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Give the tests of one file a small GitHub that none of them changes."""
    with open_scene(tmp_path_factory.mktemp("github")) as scene:
        yield scene
