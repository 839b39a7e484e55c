"""What a review session begins with, and what is left of one that fails (review §7)."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from autoswe.contracts.review.session import Reviewer
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.review.model_reviewer import ask_model
from autoswe.tasks.review.reviewer import review
from tests.tasks.review.sessions import SECRETS, ReviewTask

WITHOUT_SUMMARY = {"prompt.md", "logs.txt", "usage.json"}


@pytest.fixture
def run(session: ReviewTask, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Reviews in this process, with the given variables."""

    def review_here(reviewer: Reviewer, head_sha: str = "", **variables: str) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        manifest = session.manifest(reviewer)
        with httpx.Client(trust_env=False) as client:
            changed = manifest.model_copy(update={"head_sha": head_sha or manifest.head_sha})
            review(changed, session.scratch, Transfer(client))

    return review_here


def test_a_packet_of_another_head_is_not_reviewed_and_leaves_nothing(
    session: ReviewTask, run: Callable[..., None]
) -> None:
    with pytest.raises(TaskFailed, match="another head"):
        run("rules", head_sha="c" * 40)
    assert not session.left


def test_a_packet_of_the_right_head_is_reviewed(session: ReviewTask, run: Callable[..., None]) -> None:
    run("rules")
    assert session.left == {"session-summary.md", "usage.json"}


def test_a_session_that_fails_leaves_prompt_logs_and_usage_and_no_summary(
    session: ReviewTask, run: Callable[..., None]
) -> None:
    with pytest.raises(TaskFailed, match="credential"):
        run("copilot", AUTOSWE_MODEL_CREDENTIAL=SECRETS["codex"])
    assert session.left == WITHOUT_SUMMARY


@pytest.mark.parametrize("reviewer", ["copilot", "claude", "codex"])
def test_a_program_without_a_credential_of_its_kind_is_not_started(
    session: ReviewTask, tmp_path: Path, reviewer: Reviewer
) -> None:
    desk, own_folder = tmp_path / "desk", tmp_path / "own"
    desk.mkdir()
    variables = {"AUTOSWE_MODEL_CREDENTIAL": "my-own-" + "x" * 40}
    answer = ask_model(session.manifest(reviewer), "Review it.", desk, own_folder, variables)
    assert answer.message is None
    assert "credential" in answer.failure
    assert not own_folder.exists()
