"""The agent and collect containers, as processes: each creates its document or fails with one line."""

import os

import pytest

from autoswe.rules.source.archive import SourceMode
from tests.tasks.containers import Task, run_container
from tests.tasks.source_trees import text_file

SOURCE = (
    text_file("src/app.py", "one\ntwo\n"),
    text_file("bin/tool", "#!/bin/sh\n", SourceMode.EXECUTABLE),
    text_file("latest", "src/app.py", SourceMode.LINK),
)


@pytest.mark.parametrize(
    ("container", "manifest", "sentence"),
    [
        ("agent", b"\xff garbage", "the manifest is not as agreed: json_invalid at 'the top'\n"),
        ("collect", b'{"kind": "agent"}', "the manifest is not as agreed: literal_error at 'kind'\n"),
        ("gates", b" " * (256 * 1024 + 1), "the manifest is larger than the 262144 bytes it may have\n"),
    ],
)
def test_a_manifest_that_is_not_as_agreed_ends_the_container_with_one_line(
    task: Task, container: str, manifest: bytes, sentence: str
) -> None:
    ended = task.run(container, manifest)
    assert (ended.exit_code, ended.log) == (1, sentence)


def test_a_container_without_its_variables_says_which_is_missing(task: Task) -> None:
    ended = run_container("agent", {"AUTOSWE_MANIFEST_URL": task.storage.url("x")})
    assert (ended.exit_code, ended.log) == (1, "the environment variable AUTOSWE_SCRATCH is not set\n")


def test_a_source_of_another_digest_is_not_unpacked(task: Task) -> None:
    manifest = task.agent_manifest(SOURCE)
    reference = manifest.source.reference.model_copy(update={"sha256": "0" * 64})
    source = manifest.source.model_copy(update={"reference": reference})
    ended = task.run("agent", manifest.model_copy(update={"source": source}))
    assert (ended.exit_code, ended.log) == (
        1,
        "the source archive does not have the SHA-256 digest that its reference says\n",
    )
    assert not task.workspace.exists()


def test_a_source_that_is_larger_than_its_reference_says_is_refused(task: Task) -> None:
    manifest = task.agent_manifest(SOURCE)
    task.storage.objects["source.tar.gz"] += bytes(1)
    ended = task.run("agent", manifest)
    assert ended.exit_code == 1
    assert ended.log.startswith("the source archive is larger than")


def test_an_agent_that_fails_uploads_no_outcome(task: Task) -> None:
    task.workspace.mkdir()
    ended = task.run("agent", task.agent_manifest(SOURCE))
    assert ended.exit_code == 1
    assert "File exists" in ended.log
    assert "outcome.json" not in task.storage.objects


def test_what_a_hostile_agent_planted_is_collected_as_data_or_not_at_all(task: Task) -> None:
    """A conftest and a workflow are files like others, for the gates and the push gate to judge; .git is nothing."""
    task.unpack(SOURCE)
    (task.workspace / "conftest.py").write_text("import os; os.abort()")
    (task.workspace / ".github/workflows").mkdir(parents=True)
    (task.workspace / ".github/workflows/ci.yml").write_text("on: push")
    (task.workspace / ".git/hooks").mkdir(parents=True)
    (task.workspace / ".git/config").write_text('[core]\n\tfsmonitor = "touch pwned"\n')
    (task.workspace / "src/loot").symlink_to("/etc/passwd")
    os.mkfifo(task.workspace / "src/pipe")
    ended = task.run("collect", task.collect_manifest(SOURCE))
    assert ended.exit_code == 0, ended.log
    assert [file.path for file in task.change.files] == [".github/workflows/ci.yml", "conftest.py"]
    assert "left out 2 new links or special files" in ended.log


def test_a_folder_that_became_a_link_to_the_outside_uploads_nothing(task: Task) -> None:
    task.unpack(SOURCE)
    (task.workspace / "src").rename(task.scratch / "src")
    (task.workspace / "src").symlink_to(task.scratch / "src")
    ended = task.run("collect", task.collect_manifest(SOURCE))
    assert ended.exit_code == 1
    assert ended.log.startswith("'src' is no longer what the source has")
    assert "change.json" not in task.storage.objects
