"""A change is applied only where it fits the pristine source (architecture §5)."""

import base64
from io import BytesIO
from pathlib import Path

import pytest

from autoswe.contracts.feedback.fixing import Change, ChangeOperation, FileChange, FileMode
from autoswe.rules.source.archive import SourceMode, git_blob_id
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.change import apply_change
from autoswe.tasks.feedback.pristine import index_source
from tests.tasks.source_trees import pack, read_folder, text_file

SOURCE = pack(text_file("a", "one"), text_file("d/b", "two"), text_file("link", "d", SourceMode.LINK))
ONE = git_blob_id(b"one")
NEW = base64.b64encode(b"new").decode()
ADD, MODIFY, DELETE = ChangeOperation.ADD, ChangeOperation.MODIFY, ChangeOperation.DELETE


def change(path: str, op: ChangeOperation, base_blob: str | None, content: str | None) -> FileChange:
    return FileChange(path=path, mode=FileMode.REGULAR, op=op, base_blob=base_blob, content_base64=content)


def apply(root: Path, *files: FileChange) -> Workspace:
    workspace = Workspace.unpack(BytesIO(SOURCE), root)
    apply_change(Change(head_sha="1" * 40, files=files), index_source(SOURCE), workspace)
    return workspace


def test_a_file_may_become_a_folder_and_a_folder_a_file(tmp_path: Path) -> None:
    workspace = apply(
        tmp_path / "w",
        change("a/x", ADD, None, NEW),
        change("a", DELETE, ONE, None),
        change("d", ADD, None, NEW),
        change("d/b", DELETE, git_blob_id(b"two"), None),
    )
    assert {file.path: file.content for file in read_folder(workspace.root)} == {
        "a/x": b"new",
        "d": b"new",
        "link": b"d",
    }


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ((change("a", ADD, None, NEW),), "does not know what 'a' held before"),
        ((change("a", ADD, ONE, NEW),), "would add 'a' against the source"),
        ((change("a", MODIFY, git_blob_id(b"else"), NEW),), "does not know what 'a' held before"),
        ((change("x", MODIFY, None, NEW),), "would modify 'x' against the source"),
        ((change("x", DELETE, None, None),), "would delete 'x' against the source"),
        ((change("a", MODIFY, ONE, None),), "would modify 'a', which does not fit the content"),
        ((change("a", DELETE, ONE, NEW),), "would delete 'a', which does not fit the content"),
        ((change("x", ADD, None, None),), "would add 'x', which does not fit the content"),
        ((change("x", ADD, None, "no base64!"),), "for 'x' that is not base64"),
        ((change("link", MODIFY, git_blob_id(b"d"), NEW),), "touches 'link', which is a link"),
        ((change("x", ADD, None, NEW), change("x", ADD, None, NEW)), "names a path twice"),
        ((change("link/x", ADD, None, NEW),), "'link/x' cannot be reached in real folders"),
        ((change("a/x", ADD, None, NEW),), "'a/x' cannot be reached in real folders"),
        ((change("d", ADD, None, NEW),), "'d' cannot be reached in real folders"),
        ((change("../x", ADD, None, NEW),), "the path '../x' is refused"),
        ((change("/x", ADD, None, NEW),), "the path '/x' is refused"),
        ((change(".git/config", ADD, None, NEW),), "the path '.git/config' is refused"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(tmp_path: Path, files: tuple[FileChange, ...], sentence: str) -> None:
    with pytest.raises(TaskFailed, match=sentence):
        apply(tmp_path / "w", *files)
    assert [path.name for path in tmp_path.iterdir()] == ["w"]
