"""``make sentences`` inverts the branches of a sentence on a copy, and says what no test noticed."""

import pytest

from tests.sentences.__main__ import main


def test_the_branch_of_one_sentence_is_inverted_and_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--page", "feedback", "--invert", "--only", "6.17"]) == 0
    assert capsys.readouterr().out == "1 branches of 1 sentences inverted, 0 not noticed\n"
