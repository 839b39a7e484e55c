"""Write the tables of sentences anew, or invert the branches that they name: ``python -m tests.sentences --help``.

Inverting works on a copy, so it changes nothing here; it exits with 1 when an inversion was not noticed, with 2 when
the tests fail without one.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.sentences.inversion import Judged, TestsFail, Verdict, copy_repository, judge, pass_as_they_are
from tests.sentences.registers import REGISTERS
from tests.sentences.sentence import REPOSITORY, Sentence
from tests.sentences.table import write_table


def main(argv: Sequence[str]) -> int:
    """Do what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sentences", description="Keep the tables of sentences.")
    parser.add_argument("--page", choices=REGISTERS, help="work on this page alone")
    parser.add_argument("--invert", action="store_true", help="invert every branch, and tell what no test notices")
    parser.add_argument("--only", nargs="+", metavar="ID", help="invert the branches of these sentences alone")
    parser.add_argument("--workers", type=int, default=2, help="how many branches are inverted at a time")
    chosen = parser.parse_args(argv)
    registers = [register for name, register in REGISTERS.items() if chosen.page in {None, name}]
    if not chosen.invert:
        for register in registers:
            (REPOSITORY / register.table).write_text(write_table(register))
        return 0
    sentences = [
        sentence
        for register in registers
        for sentence in register.sentences
        if chosen.only is None or sentence.id in chosen.only
    ]
    return _invert(sentences, chosen.workers)


def _invert(sentences: Sequence[Sentence], workers: int) -> int:
    with TemporaryDirectory(prefix="auto-swe-sentences-") as name:
        folder = Path(name)
        copy_repository(folder)
        try:
            pass_as_they_are(sentences, folder)
        except TestsFail as failure:
            _say(f"The tests fail as things are:\n{failure}")
            return 2
        count = unnoticed = 0
        for judged in judge(sentences, folder, workers):
            count += 1
            if judged.verdict is not Verdict.NOTICED:
                unnoticed += 1
                _say(_describe(judged))
    _say(f"{count} branches of {len(sentences)} sentences inverted, {unnoticed} not noticed")
    return 1 if unnoticed else 0


def _describe(judged: Judged) -> str:
    branch = judged.branch
    head = f"{judged.sentence.id} {judged.verdict}: {branch.module}:{branch.scope} {branch.expression}"
    return head if judged.verdict is Verdict.SURVIVED else f"{head}\n{judged.output}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
