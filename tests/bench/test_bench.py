"""``make bench`` can measure everything that it is to measure."""

import pytest

from tests.bench.__main__ import SECTIONS, main


def test_every_part_of_the_bench_is_measured_once_on_the_smallest_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--smallest"]) == 0
    told = capsys.readouterr().out
    for section in SECTIONS:
        _, _, lines = told.partition(f"{section.TITLE}\n  ")
        assert lines, section.TITLE
