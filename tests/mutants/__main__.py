"""Mutate the rules and list the mutants that no test notices: ``python -m tests.mutants``; ``--help`` names the parts.

Works on a copy, so it changes nothing here. Prints each survivor with its place and change, then how many mutants were
killed. Exits with 1 when fewer than 90 % were.

Mutmut mutates the bodies of functions, not what a module computes once when it is imported: the tables of the screen,
of the redaction and of the fixed sentences have tests, but no mutants.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.mutation import KILLED, MutationFailed, Survivor, run_mutmut, survivors

REQUIRED_SHARE = 0.9
"""The least share of killed mutants, of all that were judged."""

_ROOT = Path(__file__).parents[2]
_PACKAGES = Path("layers/core/python")
_CONFIGURATION = Path(__file__).with_name("mutmut.toml")
_MEMORY = 2 * 1024**3
"""Bytes of address space for each process: a mutant that grows without end fails before the machine does."""


def main(argv: Sequence[str]) -> int:
    """Judge the mutants that the arguments choose, and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Mutate the rules.")
    parser.add_argument("only", nargs="*", help="judge these mutants alone, such as 'autoswe.rules.intake.signature.*'")
    parser.add_argument("--workers", type=int, default=2, help="how many mutants are judged at a time")
    parser.add_argument("--unmutated", metavar="TEST", help="judge none: run a test as they are judged, without any")
    chosen = parser.parse_args(argv)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with TemporaryDirectory(prefix="auto-swe-mutants-") as name:
        folder = Path(name)
        copy_sources(folder)
        if chosen.unmutated is not None:
            return run_unmutated(folder, chosen.unmutated)
        try:
            statuses = run_mutmut(folder, chosen.workers, chosen.only)
        except MutationFailed as failure:
            _say(str(failure))
            return 2
        for survivor in sorted(survivors(folder, statuses), key=lambda one: (one.path, one.line)):
            _say(_describe(survivor))
    counts = Counter(statuses.values())
    share = killed_share(counts)
    _say("mutants: " + ", ".join(f"{count} {status}" for status, count in counts.most_common()))
    _say(f"{share:.1%} of {counts.total()} killed; {REQUIRED_SHARE:.0%} must be")
    return 0 if share >= REQUIRED_SHARE else 1


def copy_sources(folder: Path) -> None:
    """Lay the package and the tests side by side in ``folder``: the files that git knows, or would, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", _PACKAGES / "autoswe", "tests"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in map(Path, filter(None, listed.stdout.split("\0"))):
        if (_ROOT / path).is_file():
            target = folder / (path.relative_to(_PACKAGES) if path.is_relative_to(_PACKAGES) else path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(_ROOT / path, target)
    shutil.copyfile(_CONFIGURATION, folder / "pyproject.toml")


def run_unmutated(folder: Path, test: str) -> int:
    """Run a test on the sources in ``folder`` with the options that mutmut gives pytest; return pytest's exit code."""
    options = tomllib.loads(_CONFIGURATION.read_text())["tool"]["mutmut"]["pytest_add_cli_args"]
    return subprocess.run([sys.executable, "-m", "pytest", *options, test], cwd=folder, check=False).returncode


def killed_share(counts: Mapping[str, int]) -> float:
    """Return the share, 0 to 1, of killed mutants; none judged is none killed."""
    return sum(count for status, count in counts.items() if status in KILLED) / max(sum(counts.values()), 1)


def _describe(survivor: Survivor) -> str:
    changes = [f"- {line}" for line in survivor.taken] + [f"+ {line}" for line in survivor.given]
    return "\n  ".join([f"{_PACKAGES / survivor.path}:{survivor.line}: {survivor.status}", *changes])


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
