"""Play new hostile inputs for a while: ``python -m tests.untrusted --seconds 600``; ``--help`` names the parts.

Prints the seed of each turn, and of each failure the input that is left after shrinking it and what it raised. The same
seed plays the same inputs again. Exits with 1 when a property failed.
"""

import argparse
import importlib
import secrets
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, Verbosity, settings

from tests.untrusted.properties import PROPERTIES, Property

_FREE = settings(
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    verbosity=Verbosity.normal,
)


def main(argv: Sequence[str]) -> int:
    """Play what the arguments choose, and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.untrusted", description="Play hostile inputs.")
    parser.add_argument("--seconds", type=float, default=60, help="begin no further turn after so many seconds")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31), help="where to start drawing")
    parser.add_argument("--examples", type=int, default=200, help="how many inputs a property is played with per turn")
    parser.add_argument("--only", default="", help="play only the properties whose name holds this text")
    chosen = parser.parse_args(argv)
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        importlib.import_module(f"tests.untrusted.{file.stem}")
    playing = [one for one in PROPERTIES if chosen.only in one.name]
    failed: set[str] = set()
    profile = settings(_FREE, max_examples=chosen.examples)
    end = time.monotonic() + chosen.seconds
    for turn, one in _turns(playing, chosen.seed):
        if time.monotonic() > end or len(failed) == len(playing):
            break
        if one.name not in failed and not _hold(one, profile, turn):
            failed.add(one.name)
    _say(f"{len(playing)} properties played from seed {chosen.seed} on: {len(failed)} failed")
    return 1 if failed or not playing else 0


def _turns(playing: Sequence[Property], seed: int) -> Iterator[tuple[int, Property]]:
    return ((turn, one) for turn in count(seed) for one in playing)


def _hold(one: Property, profile: settings, seed: int) -> bool:
    try:
        with redirect_stdout(StringIO()):
            one.play(profile, seed)
    except Exception:  # noqa: BLE001 - whatever a property raises is what the campaign is after
        _say(f"FAILED with --seed {seed}: {one.name}\n{traceback.format_exc()}")
        return False
    _say(f"seed {seed}: {one.name}")
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
