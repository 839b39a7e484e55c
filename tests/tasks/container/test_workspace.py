"""No read or write in a workspace leads through a link (architecture §5)."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings

from autoswe.rules.source.archive import SourceFile, SourceMode, SourceRefused
from autoswe.tasks.container.workspace import NotAFile, StoredFile, Workspace
from tests.tasks.source_trees import pack, read_folder, text_file, trees


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("secret")
    return folder


@pytest.fixture
def workspace(tmp_path: Path, outside: Path) -> Workspace:
    files = [
        text_file("d/a", "a"),
        text_file("tool", "#!", SourceMode.EXECUTABLE),
        text_file("l", "d", SourceMode.LINK),
    ]
    made = Workspace.unpack(BytesIO(pack(*files)), tmp_path / "workspace")
    (made.root / "out").symlink_to(outside)
    (made.root / "file-out").symlink_to(outside / "secret")
    os.link(made.root / "d/a", made.root / "second-name")
    os.mkfifo(made.root / "pipe")
    return made


@settings(deadline=None, max_examples=60)
@given(trees)
def test_unpacking_gives_the_files_links_and_modes_of_the_archive(
    tmp_path_factory: pytest.TempPathFactory, files: list[SourceFile]
) -> None:
    root = tmp_path_factory.mktemp("unpack") / "workspace"
    Workspace.unpack(BytesIO(pack(*files)), root)
    assert read_folder(root) == set(files)


def test_unpacking_into_something_that_exists_fails(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        Workspace.unpack(BytesIO(pack()), tmp_path)


def test_an_archive_that_is_refused_puts_nothing_outside(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused):
        Workspace.unpack(BytesIO(b"no archive"), tmp_path / "workspace")
    assert list(tmp_path.iterdir()) == [tmp_path / "workspace"]


def test_a_file_is_read_with_its_executable_bit(workspace: Workspace) -> None:
    assert workspace.read("tool", 2) == StoredFile(b"#!", executable=True)


@pytest.mark.parametrize(
    "path",
    [
        "out/secret",
        "file-out",
        "l/a",
        "l",
        "pipe",
        "second-name",
        "d",
        "missing",
        "d/a/x",
        "../outside/secret",
        "/etc/passwd",
    ],
)
def test_only_a_regular_file_with_one_name_in_real_folders_is_read(workspace: Workspace, path: str) -> None:
    with pytest.raises(NotAFile):
        workspace.read(path, 100)


def test_a_file_beyond_the_bound_is_not_read(workspace: Workspace) -> None:
    with pytest.raises(NotAFile, match="larger than 1 bytes"):
        workspace.read("tool", 1)


@pytest.mark.parametrize("path", ["out/new", "out/secret", "out/deep/new", "../outside/secret", "l/new", "d", "tool/x"])
def test_a_write_that_leads_through_a_link_or_over_a_folder_fails_and_changes_nothing(
    workspace: Workspace, outside: Path, path: str
) -> None:
    before = read_folder(workspace.root), read_folder(outside)
    with pytest.raises(NotAFile):
        workspace.replace(path, b"pwned", executable=False)
    assert (read_folder(workspace.root), read_folder(outside)) == before


@pytest.mark.parametrize("path", ["file-out", "second-name", "pipe"])
def test_writing_where_something_else_lies_replaces_the_name_and_not_what_it_leads_to(
    workspace: Workspace, outside: Path, path: str
) -> None:
    workspace.replace(path, b"new", executable=False)
    assert workspace.read(path, 10) == StoredFile(b"new", executable=False)
    assert (outside / "secret").read_text() == "secret"
    assert workspace.read("d/a", 10).content == b"a" if path == "second-name" else True


def test_writing_makes_the_folders_above(workspace: Workspace) -> None:
    workspace.replace("x/y/z", b"new", executable=True)
    assert workspace.read("x/y/z", 10) == StoredFile(b"new", executable=True)


def test_removing_the_last_file_removes_the_folders_that_git_would_not_know(workspace: Workspace) -> None:
    workspace.replace("x/y/z", b"", executable=False)
    workspace.replace("x/keep", b"", executable=False)
    workspace.remove("x/y/z")
    assert sorted(path.name for path in (workspace.root / "x").iterdir()) == ["keep"]


@pytest.mark.parametrize("path", ["out/secret", "l/a", "missing"])
def test_removing_through_a_link_fails(workspace: Workspace, outside: Path, path: str) -> None:
    with pytest.raises(NotAFile):
        workspace.remove(path)
    assert (outside / "secret").exists()
    assert (workspace.root / "d/a").exists()


def test_a_workspace_whose_own_folder_was_replaced_by_a_link_is_not_entered(
    workspace: Workspace, outside: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(outside)
    with pytest.raises(NotAFile):
        Workspace(tmp_path / "link").read("secret", 10)
