"""The collected change is what the agent did to regular files, and nothing else (architecture §5)."""

import base64
import os
import socket
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings

from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_CHANGED_FILES,
    MAX_FILE_BYTES,
    Change,
    ChangeOperation,
    FileChange,
    FileMode,
)
from autoswe.rules.source.archive import SourceFile, SourceMode, SourceRefused, git_blob_id
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback import collect
from autoswe.tasks.feedback.change import apply_change
from autoswe.tasks.feedback.pristine import index_source
from tests.tasks.containers import Task
from tests.tasks.source_trees import pack, read_folder, regular_trees, text_file, trees

HEAD = "1" * 40
SOURCE = (
    text_file("README.md", "read me\n"),
    text_file("src/app.py", "print()\n"),
    text_file("src/run.sh", "#!/bin/sh\n", SourceMode.EXECUTABLE),
    text_file("latest", "src/app.py", SourceMode.LINK),
)

Edit = Callable[[Path], object]


def compare(root: Path, *source: SourceFile) -> tuple[FileChange, ...]:
    return collect.compare(root, index_source(pack(*source)), HEAD).files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Workspace.unpack(BytesIO(pack(*SOURCE)), tmp_path / "workspace").root


def operations(root: Path) -> dict[str, str]:
    return {change.path: change.op.value for change in compare(root, *SOURCE)}


@settings(deadline=None, max_examples=60)
@given(trees)
def test_an_untouched_workspace_has_no_change(
    tmp_path_factory: pytest.TempPathFactory, files: list[SourceFile]
) -> None:
    root = tmp_path_factory.mktemp("same") / "workspace"
    Workspace.unpack(BytesIO(pack(*files)), root)
    assert compare(root, *files) == ()


@settings(deadline=None, max_examples=60)
@given(regular_trees, regular_trees)
def test_the_change_turns_the_pristine_source_into_the_workspace(
    tmp_path_factory: pytest.TempPathFactory, before: list[SourceFile], after: list[SourceFile]
) -> None:
    folder = tmp_path_factory.mktemp("change")
    Workspace.unpack(BytesIO(pack(*after)), folder / "workspace")
    pristine = index_source(pack(*before))
    change = collect.compare(folder / "workspace", pristine, HEAD)
    copy = Workspace.unpack(BytesIO(pack(*before)), folder / "copy")
    apply_change(Change.model_validate_json(change.model_dump_json()), pristine, copy)
    assert read_folder(copy.root) == set(after)
    untouched = set(before) & set(after)
    assert {file.path for file in change.files}.isdisjoint(file.path for file in untouched)


def test_each_operation_carries_the_mode_the_blob_before_and_the_content_after(root: Path) -> None:
    (root / "new.bin").write_bytes(b"\0\xff")
    (root / "src/app.py").chmod(0o755)
    (root / "README.md").unlink()
    assert compare(root, *SOURCE) == (
        FileChange(
            path="README.md",
            mode=FileMode.REGULAR,
            op=ChangeOperation.DELETE,
            base_blob=git_blob_id(b"read me\n"),
            content_base64=None,
        ),
        FileChange(
            path="new.bin",
            mode=FileMode.REGULAR,
            op=ChangeOperation.ADD,
            base_blob=None,
            content_base64=base64.b64encode(b"\0\xff").decode(),
        ),
        FileChange(
            path="src/app.py",
            mode=FileMode.EXECUTABLE,
            op=ChangeOperation.MODIFY,
            base_blob=git_blob_id(b"print()\n"),
            content_base64=base64.b64encode(b"print()\n").decode(),
        ),
    )


def test_a_workflow_is_collected_faithfully_because_the_push_gate_must_see_it(root: Path) -> None:
    (root / ".github/workflows").mkdir(parents=True)
    (root / ".github/workflows/ci.yml").write_text("on: push")
    assert operations(root) == {".github/workflows/ci.yml": "add"}


def test_git_folders_are_never_looked_into_wherever_they_are(root: Path) -> None:
    for folder in (".git", "src/.git", "new/.git"):
        (root / folder / "hooks").mkdir(parents=True)
        (root / folder / "config").write_text("[core] fsmonitor = evil")
        os.mkfifo(root / folder / "hooks/pre-push")
    (root / "module").mkdir()
    (root / "module/.git").write_text("gitdir: /elsewhere")
    assert operations(root) == {}


@pytest.mark.parametrize("name", sorted(collect.TOOL_FOLDERS))
def test_folders_that_tools_fill_are_left_out_unless_the_source_has_them(root: Path, name: str) -> None:
    (root / "src" / name).mkdir()
    (root / "src" / name / "x").write_text("junk")
    assert operations(root) == {}
    tracked = text_file(f"src/{name}/tracked", "t")
    (root / "src" / name / "tracked").write_text("t")
    assert [change.path for change in compare(root, *SOURCE, tracked)] == [f"src/{name}/x"]


def test_a_file_named_like_a_tools_folder_is_collected(root: Path) -> None:
    (root / "node_modules").write_text("a file")
    assert operations(root) == {"node_modules": "add"}


def link_hard(path: Path) -> None:
    elsewhere = path.parents[2] / "elsewhere"
    elsewhere.touch()
    os.link(elsewhere, path)


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.symlink_to("/etc/passwd"),
        lambda path: path.symlink_to("src"),
        os.mkfifo,
        listen,
        link_hard,
    ],
    ids=["link outside", "link inside", "pipe", "socket", "hard link"],
)
def test_what_is_not_a_regular_file_is_left_out_when_new_and_refused_where_the_source_has_a_file(
    root: Path, make: Edit
) -> None:
    (root / "src/app.py").unlink()
    make(root / "src/app.py")
    assert compare(root, *(file for file in SOURCE if file.path != "src/app.py")) == ()
    with pytest.raises(TaskFailed, match=r"'src/app\.py' is no longer what the source has"):
        compare(root, *SOURCE)


def replace_by_link(root: Path) -> None:
    (root / "src").rename(root / "moved")
    (root / "src").symlink_to("moved")


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (replace_by_link, "'src' is no longer what the source has"),
        (lambda root: (root / "latest").unlink(), "the link 'latest' is gone"),
        (
            lambda root: (root / "latest").unlink() or (root / "latest").write_text("x"),
            "the link 'latest' has become a",
        ),
        (lambda root: (root / "latest").unlink() or (root / "latest").mkdir(), "the link 'latest' is gone"),
        (
            lambda root: (root / "latest").unlink() or (root / "latest").symlink_to("/etc/passwd"),
            "'latest' is no longer what the source has",
        ),
        (lambda root: Path(os.fsdecode(bytes(root / "a") + b"\xff")).touch(), "it is not UTF-8"),
        (lambda root: (root / ".GIT").mkdir(), "means .git to some file system"),
        (
            lambda root: (
                (root / "/".join(["d"] * 100)).mkdir(parents=True) or (root / "/".join(["d"] * 100) / "x").touch()
            ),
            "too many folders deep",
        ),
        (lambda root: (root / "big").write_bytes(bytes(MAX_FILE_BYTES + 1)), "'big' is larger than"),
    ],
)
def test_what_a_change_cannot_say_or_must_not_carry_refuses_the_whole(root: Path, edit: Edit, sentence: str) -> None:
    edit(root)
    with pytest.raises(TaskFailed, match=sentence):
        compare(root, *SOURCE)


def test_a_large_file_of_the_source_is_no_matter_until_it_is_changed(tmp_path: Path) -> None:
    large = SourceFile("large", SourceMode.REGULAR, bytes(MAX_FILE_BYTES + 1))
    root = Workspace.unpack(BytesIO(pack(large)), tmp_path / "workspace").root
    assert compare(root, large) == ()
    (root / "large").chmod(0o755)
    with pytest.raises(TaskFailed, match=f"'large' is larger than {MAX_FILE_BYTES} bytes"):
        compare(root, large)


def test_the_largest_file_and_the_greatest_number_of_files_fit(root: Path) -> None:
    (root / "big").write_bytes(bytes(MAX_FILE_BYTES))
    for number in range(MAX_CHANGED_FILES - 1):
        (root / f"n{number}").touch()
    assert len(compare(root, *SOURCE)) == MAX_CHANGED_FILES
    (root / "README.md").unlink()
    with pytest.raises(TaskFailed, match=f"more than {MAX_CHANGED_FILES} files"):
        compare(root, *SOURCE)


def test_the_content_of_all_files_together_is_bounded(root: Path) -> None:
    for number in range(MAX_CHANGE_BYTES // MAX_FILE_BYTES + 1):
        (root / f"n{number}").write_bytes(bytes(MAX_FILE_BYTES))
    with pytest.raises(TaskFailed, match=f"the change is larger than {MAX_CHANGE_BYTES} bytes"):
        compare(root, *SOURCE)


def test_the_walk_is_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "MAX_ENTRIES", 5)
    assert operations(root) == {}
    (root / "empty").mkdir()
    with pytest.raises(TaskFailed, match="more than 5 names"):
        compare(root, *SOURCE)


@pytest.mark.parametrize("make", [lambda path: path, lambda path: path.symlink_to("/etc"), lambda path: path.touch()])
def test_a_workspace_that_is_no_real_folder_is_refused(tmp_path: Path, make: Edit) -> None:
    make(tmp_path / "workspace")
    with pytest.raises(TaskFailed, match="the workspace cannot be read"):
        compare(tmp_path / "workspace", *SOURCE)


def test_the_same_workspace_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    other = Workspace.unpack(BytesIO(pack(*SOURCE)), tmp_path / "other").root
    for folder, names in ((root, "abc"), (other, "cba")):
        for name in names:
            (folder / name).touch()
    assert collect.compare(root, index_source(pack(*SOURCE)), HEAD) == collect.compare(
        other, index_source(pack(*SOURCE)), HEAD
    )


def test_the_change_is_uploaded_once_and_never_replaced(task: Task, transfer: Transfer) -> None:
    task.unpack(SOURCE)
    (task.workspace / "src/app.py").write_text("fixed\n")
    collect.collect(task.collect_manifest(SOURCE), task.scratch, transfer)
    assert [(file.path, file.op) for file in task.change.files] == [("src/app.py", ChangeOperation.MODIFY)]
    before = task.storage.objects["change.json"]
    (task.workspace / "src/app.py").write_text("changed again\n")
    with pytest.raises(TaskFailed, match="the change exists already"):
        collect.collect(task.collect_manifest(SOURCE), task.scratch, transfer)
    assert task.storage.objects["change.json"] == before


def test_a_source_that_is_no_archive_is_compared_with_nothing(task: Task, transfer: Transfer) -> None:
    task.unpack(SOURCE)
    manifest = task.collect_manifest(SOURCE).model_copy(update={"source": task.storage.store("source.tar.gz", b"junk")})
    with pytest.raises(SourceRefused, match="the source archive is damaged"):
        collect.collect(manifest, task.scratch, transfer)
    assert "change.json" not in task.storage.objects
