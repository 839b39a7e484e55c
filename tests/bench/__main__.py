"""Print every section of the bench, line by line as it is measured: ``python -m tests.bench``.

``--smallest`` measures everything once, in a few seconds, on inputs of the smallest size: its numbers say nothing.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.bench import feedback_round, receive_delivery, review_judgement, review_scan, untrusted
from tests.bench.scale import FULL, SMALLEST

SECTIONS = (receive_delivery, feedback_round, untrusted, review_judgement, review_scan)
"""Modules with a ``TITLE`` and a function ``measure`` that yields lines."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure.")
    parser.add_argument("--smallest", action="store_true", help="measure everything once, on the smallest inputs")
    scale = SMALLEST if parser.parse_args(argv).smallest else FULL
    for section in SECTIONS:
        sys.stdout.write(f"{section.TITLE}\n")
        for line in section.measure(scale):
            sys.stdout.write(f"  {line}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
