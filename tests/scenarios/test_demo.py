"""What ``make demo`` does, on any git repository."""

import subprocess
from pathlib import Path

import pytest

from infra.local.feedback import demo
from infra.local.review import demo as review_demo


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A Developer", "-c", "user.email=developer@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "file.txt").write_text("hello\n")
    _git(tmp_path, "init", "--initial-branch", "trunk")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "--message", "Begin")
    return tmp_path


def test_the_demo_plays_its_round_on_a_checkout_without_a_branch(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _git(repository, "checkout", "--detach")
    assert demo.main(["--repo", str(repository)]) == 0
    told = capsys.readouterr().out
    story = (
        "receive_delivery: decided",
        "check_failed",
        "+- `durations.py`",
        "+    rest = seconds % 60",
        "It follows up",
    )
    for part in (*story, "Addressed in", "CI passed", "succeeded in"):
        assert part in told


def test_the_demo_says_in_one_sentence_that_it_needs_a_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        demo.main(["--repo", str(tmp_path)])
    assert "is not a git repository with a commit" in capsys.readouterr().err


def test_the_review_demo_approves_in_the_live_run_what_the_dry_run_would_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert review_demo.main() == 0
    dry, _, live = capsys.readouterr().out.partition("the live run")
    assert "0 approved, 3 would-approve, 2 needs-human, 0 failed, 3" in dry
    assert "3 approved, 0 would-approve, 2 needs-human, 0 failed, 3" in live
    assert live.count("Auto-approved by agent") == 3
