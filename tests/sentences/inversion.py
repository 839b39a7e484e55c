"""Inverts branches, one at a time, and runs the tests that are to notice on a copy of the repository.

Nothing is written: each run is a fork of this process that is handed the inverted module in memory.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType

import pytest

from tests.sentences.branches import invert
from tests.sentences.sentence import REPOSITORY, Branch, Sentence

_SECONDS = 180
"""How long the tests of one sentence may take; a loop that an inversion makes endless is no failed test."""

_PASSED, _FAILED = int(pytest.ExitCode.OK), int(pytest.ExitCode.TESTS_FAILED)

_COSTLY = ("boto3", "cryptography", "httpx", "hypothesis", "markdown_it", "moto", "pydantic", "re2")
"""What takes long to import and is the same for every run."""

_OURS = frozenset({"autoswe", "functions", "infra", "tests"})


class Verdict(StrEnum):
    """What the tests said of an inversion.

    ``noticed``: one failed. ``survived``: all passed. ``broken``: they could not be run to an end, so nobody knows.
    """

    NOTICED = "noticed"
    SURVIVED = "survived"
    BROKEN = "broken"


@dataclass(frozen=True)
class Judged:
    """An inverted branch of a sentence and what became of it; ``output`` is the end of what pytest said."""

    sentence: Sentence
    branch: Branch
    verdict: Verdict
    output: str


class TestsFail(RuntimeError):
    """The named tests do not pass as things are, so that nothing could be said of an inversion."""

    __test__ = False


def copy_repository(folder: Path) -> None:
    """Copy the files that git knows, or would, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in filter(None, listed.stdout.split("\0")):
        if (REPOSITORY / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPOSITORY / path, folder / path)


def pass_as_they_are(sentences: Sequence[Sentence], folder: Path) -> None:
    """Run all tests of the sentences on a copy of the repository without an inversion; raises ``TestsFail``."""
    tests = sorted({test for sentence in sentences for test in sentence.tests})
    with TemporaryDirectory() as output:
        run = _Run(folder, tests, Path(output, "tests"), seconds=_SECONDS * max(len(tests), 1))
        if run.verdict() is not Verdict.SURVIVED:
            raise TestsFail(run.output())


def judge(sentences: Sequence[Sentence], folder: Path, workers: int) -> Iterator[Judged]:
    """Invert each branch by itself on a copy of the repository; ``workers`` runs go on at a time.

    The verdicts come as they are reached. Tests that fail without an inversion prove nothing here.
    """
    branches = ((sentence, branch) for sentence in sentences for branch in sentence.branches)
    with TemporaryDirectory() as outputs:
        started = (
            (_Run(folder, sentence.tests, Path(outputs, str(number)), branch=branch), sentence, branch)
            for number, (sentence, branch) in enumerate(branches)
        )
        running = list(islice(started, workers))
        while running:
            ended = wait([run.process.sentinel for run, _, _ in running])
            still = [one for one in running if one[0].process.sentinel not in ended]
            for run, sentence, branch in running:
                if run.process.sentinel in ended:
                    yield Judged(sentence, branch, run.verdict(), run.output())
            running = still + list(islice(started, workers - len(still)))


class _Run:
    """One run of tests, begun at once; it writes what pytest says to a file."""

    def __init__(
        self,
        folder: Path,
        tests: Sequence[str],
        output: Path,
        *,
        branch: Branch | None = None,
        seconds: int = _SECONDS,
    ) -> None:
        for library in _COSTLY:
            import_module(library)
        self._output = output
        output.touch()
        self.process: ForkProcess = get_context("fork").Process(
            target=_run_tests, args=(folder, tests, output, branch, seconds)
        )
        self.process.start()

    def verdict(self) -> Verdict:
        """Wait for the end and read how it went."""
        self.process.join()
        verdicts = {_PASSED: Verdict.SURVIVED, _FAILED: Verdict.NOTICED}
        return verdicts.get(self.process.exitcode or 0, Verdict.BROKEN)

    def output(self) -> str:
        """Return the end of what pytest said."""
        return "\n".join(self._output.read_text(errors="replace").splitlines()[-25:])


def _run_tests(folder: Path, tests: Sequence[str], output: Path, branch: Branch | None, seconds: int) -> None:
    """Run tests in this process, which ends with pytest's exit code, or by a signal when the time is over."""
    signal.alarm(seconds)
    with output.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(folder)
    sys.path[:0] = [str(folder / "layers/core/python"), str(folder)]
    for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
        del sys.modules[name]
    if branch is not None:
        sys.meta_path.insert(0, _Inverted(folder, branch))
    # Rewritten assertions would explain failures that nobody reads.
    options = ["-n", "0", "-x", "-p", "no:cacheprovider", "--assert=plain", "--no-header", "--tb=short"]
    code = pytest.main([*options, f"--rootdir={folder}", *tests])
    sys.stdout.flush()
    sys.exit(int(code))


class _Inverted(MetaPathFinder):
    """Finds the module of a branch, and no other, with the branch inverted."""

    def __init__(self, folder: Path, branch: Branch) -> None:
        self._path = str(folder / branch.path)
        self._branch = branch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._branch.module:
            return None
        return spec_from_file_location(fullname, self._path, loader=_InvertedSource(fullname, self._path, self._branch))


class _InvertedSource(SourceFileLoader):
    """Compiles a module's source with a branch inverted, and keeps nothing of it."""

    def __init__(self, fullname: str, path: str, branch: Branch) -> None:
        super().__init__(fullname, path)
        self._branch = branch

    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text()
        return self.source_to_code(invert(source, self._branch).encode(), self.path)
