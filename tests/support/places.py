"""Where the repository's folders are, for tests that read them."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EVENTS = ROOT / "events"
FUNCTIONS = ROOT / "functions"
