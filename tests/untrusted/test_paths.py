"""Paths in every spelling: a change names plain files below the root, or it is refused before anything is written."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from autoswe.contracts.feedback.fixing import Change, FileChange
from autoswe.rules.feedback.push_gate import judge_change
from autoswe.rules.github.facts import Tree, TreeEntry
from autoswe.rules.source.archive import git_blob_id
from autoswe.steps.feedback.fixer_results import ResultsRefused
from autoswe.tasks.container.documents import parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.change import apply_change
from autoswe.tasks.feedback.collect import compare
from autoswe.tasks.feedback.pristine import index_source
from tests.support.feedback.fake_host import FILE, HEAD, HEAD_TREE
from tests.support.feedback.hostile_results import CHANGE, change_of, file_change, read_documents
from tests.support.hostile.json_documents import mutations
from tests.support.hostile.paths import file_names, is_plain, paths
from tests.tasks.source_trees import pack, text_file
from tests.untrusted.properties import holds_for

TREE = Tree(HEAD_TREE, (TreeEntry("a.py", "100644", git_blob_id(FILE), len(FILE)),), truncated=False)
SOURCE = pack(text_file("a.py", FILE.decode()), text_file("d/b", "b"))

additions = st.lists(paths, min_size=1, max_size=3).map(
    lambda chosen: json.dumps(change_of(*[file_change(path, None, b"new") for path in chosen])).encode()
)


class Folders:
    """A fresh folder for each input, and beside all of them a file that nothing may touch."""

    def __init__(self, root: Path) -> None:
        self._root, self._made = root, 0
        (root / "outside").write_text("untouched")

    def fresh(self) -> Path:
        """Make the next folder."""
        self._made += 1
        folder = self._root / str(self._made)
        folder.mkdir()
        return folder

    def untouched(self, used: Path) -> bool:
        """Say whether only ``workspace`` was made in the folder, and nothing beside it changed."""
        names = {path.name for path in self._root.iterdir()}
        expected = {"outside", *(str(number + 1) for number in range(self._made))}
        inside = {path.name for path in used.iterdir()}
        return names == expected and inside == {"workspace"} and (self._root / "outside").read_text() == "untouched"


@contextmanager
def folders() -> Iterator[Folders]:
    with TemporaryDirectory(prefix="untrusted-", ignore_cleanup_errors=True) as name:
        yield Folders(Path(name))


@holds_for(additions, examples=100)
def test_no_path_is_pushed_that_could_mean_anything_but_a_file_below_the_root(place: None, document: Any) -> None:
    try:
        results, _ = read_documents(change=document)
    except ResultsRefused:
        return
    if judge_change(results.files, TREE) is None:
        assert all(is_plain(file.path) for file in results.files)
        assert len({file.path for file in results.files}) == len(results.files)


@holds_for(additions | mutations([CHANGE]), examples=60, place=folders)
def test_a_change_is_written_below_the_workspace_or_refused(place: Folders, document: Any) -> None:
    folder = place.fresh()
    workspace = Workspace.unpack(BytesIO(SOURCE), folder / "workspace")
    with suppress(TaskFailed):
        change = parse(Change, document, "the change")
        apply_change(change, index_source(SOURCE), workspace)
        contents = {file.path: file.decode_content() for file in change.files}
        assert all(
            workspace.read(path, len(content)).content == content for path, content in contents.items() if content
        )
    assert place.untouched(folder)
    assert not any(os.path.lexists(parent / ".git") for parent in (folder, workspace.root))


def _make(folder: Path, names: list[str], kind: str) -> None:
    made = folder.joinpath(*names)
    made.parent.mkdir(parents=True, exist_ok=True)
    if kind == "folder":
        made.mkdir()
    elif kind in LINKS:
        made.symlink_to(LINKS[kind])
    elif kind == "pipe":
        os.mkfifo(made)
    elif kind == "second name":
        made.hardlink_to(folder.parents[1] / "outside")
    else:
        made.touch(exist_ok=False)
        os.truncate(made, HUGE if kind == "huge file" else 0)


LINKS = {"link out": "../../outside", "link to nowhere": "\udcff" * 200, "link to a folder": ".."}
HUGE = 1 << 40
KINDS = ["file"] * 4 + ["folder", *LINKS, "pipe", "second name", "huge file"]
left_behind = st.lists(
    st.tuples(st.lists(file_names().map(os.fsdecode), min_size=1, max_size=3), st.sampled_from(KINDS)),
    min_size=1,
    max_size=4,
)


@holds_for(left_behind, examples=80, place=folders)
def test_whatever_an_agent_leaves_is_collected_as_plain_files_or_refused(place: Folders, left: Any) -> None:
    """Whatever encoding its names are in, and whatever it is; links, pipes and second names are no part of it."""
    folder = place.fresh()
    Workspace.unpack(BytesIO(SOURCE), folder / "workspace")
    for names, kind in left:
        with suppress(OSError):
            _make(folder / "workspace", names, kind)
    try:
        change = compare(folder / "workspace", index_source(SOURCE), HEAD)
    except TaskFailed as refusal:
        assert _is_one_short_sentence(str(refusal))  # noqa: PT017 - it may also not be raised
        return
    read_back = Change.model_validate_json(change.model_dump_json())
    assert read_back == change
    assert all(_is_a_plain_file(folder / "workspace" / file.path) for file in change.files if file.content_base64)
    assert all(file.content_base64 in {"", None} for file in change.files if _is_new(file))


def _is_one_short_sentence(message: str) -> bool:
    """It shows two hundred characters of a path at most, each spelled with up to ten."""
    return message.isprintable() and len(message) < 2200


def _is_a_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_nlink == 1


def _is_new(file: FileChange) -> bool:
    """Every new file was made empty; one with content would be something else, read through a link."""
    return file.base_blob is None
