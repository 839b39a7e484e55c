"""Prints every section of the bench, line by line as it is measured."""

import sys

from tests.bench import feedback_round, receive_delivery, review_judgement, review_scan, untrusted

SECTIONS = (receive_delivery, feedback_round, untrusted, review_judgement, review_scan)
"""Modules with a ``TITLE`` and a function ``measure`` that yields lines."""


def main() -> None:
    """Measure and print."""
    for section in SECTIONS:
        sys.stdout.write(f"{section.TITLE}\n")
        for line in section.measure():
            sys.stdout.write(f"  {line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
