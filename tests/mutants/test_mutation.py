"""What is said of mutants is true of them; the mutants of the real rules are not judged here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.__main__ import killed_share
from tests.mutants.mutation import Survivor, survivors
from tests.support.places import ROOT

SOURCE = '''"""Two doors."""


def is_open(door: int) -> bool:
    """Say so."""
    return door > 1


def knock(times: int = 1) -> int:
    """Say how often."""
    return times


class House:
    """A house."""

    # Nobody lives here.
    def has(self, door: int) -> bool:
        """Say so."""
        known = door
        return known == 1
'''
FUNCTION = ["def {}(door: int) -> bool:", '    """Say so."""', "    return door {} 1"]
DEFAULT = ["def {}(times: int = {}) -> int:", '    """Say how often."""', "    return times"]
METHOD = [
    "    # Nobody lives here.",
    "    def {}(self, door: int) -> bool:",
    '        """Say so."""',
    "        known = door",
    "        return known {} 1",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as mutmut leaves it, with one mutant of a function and one of a method."""
    blocks = {
        "x_is_open__mutmut_orig": (FUNCTION, ">"),
        "x_is_open__mutmut_1": (FUNCTION, ">="),
        "x_knock__mutmut_orig": (DEFAULT, "1"),
        "x_knock__mutmut_1": (DEFAULT, "2"),
        "xǁHouseǁhas__mutmut_orig": (METHOD, "=="),
        "xǁHouseǁhas__mutmut_1": (METHOD, "!="),
    }
    lines: list[str] = ['"""Two doors."""']
    spans = {}
    for name, (block, operator) in blocks.items():
        spans[name] = [len(lines) + 1, len(lines) + len(block) + 2]
        lines += ["", "", "\n".join(block).format(name, operator)]
        lines = "\n".join(lines).split("\n")
    mutants = tmp_path / "mutants" / "house"
    mutants.mkdir(parents=True)
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "doors.py").write_text(SOURCE)
    (mutants / "doors.py").write_text("\n".join(lines))
    (mutants / "doors.py.spans").write_text(json.dumps({"version": 1, "spans": spans}))
    return tmp_path


def test_a_survivor_is_described_by_its_place_and_its_change(folder: Path) -> None:
    statuses = {
        "house.doors.x_is_open__mutmut_1": "survived",
        "house.doors.x_knock__mutmut_1": "survived",
        "house.doors.xǁHouseǁhas__mutmut_1": "no tests",
    }
    path = Path("house/doors.py")
    assert list(survivors(folder, statuses)) == [
        Survivor(path, 6, "survived", ("return door > 1",), ("return door >= 1",)),
        Survivor(path, 9, "survived", ("def knock(times: int = 1) -> int:",), ("def knock(times: int = 2) -> int:",)),
        Survivor(path, 21, "no tests", ("return known == 1",), ("return known != 1",)),
    ]


@pytest.mark.parametrize("status", ["killed", "timeout"])
def test_what_a_test_noticed_is_no_survivor(folder: Path, status: str) -> None:
    assert list(survivors(folder, {"house.doors.x_is_open__mutmut_1": status})) == []


@pytest.mark.parametrize(
    ("counts", "share"),
    [
        ({"killed": 8, "timeout": 1, "survived": 1}, 0.9),
        ({"killed": 1, "no tests": 1, "suspicious": 1, "segfault": 1}, 0.25),
        ({}, 0.0),
    ],
)
def test_only_what_mutmut_says_was_noticed_counts_as_killed(counts: dict[str, int], share: float) -> None:
    assert killed_share(counts) == share


def test_the_tests_of_the_rules_run_on_the_copy_that_mutants_live_in() -> None:
    """As ``make mutants`` runs them before any mutant is judged; the judging itself needs mutmut."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.mutants", "--unmutated", "tests/rules/intake/test_signature.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "passed" in ran.stdout
