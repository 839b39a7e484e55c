"""Random source trees, and folders made of them."""

import os
from io import BytesIO
from pathlib import Path

from hypothesis import strategies as st

from autoswe.rules.source.archive import SourceFile, SourceMode, pack_source

# Few names, so that two trees meet: files change, vanish, and turn into folders.
_PATHS = st.lists(st.sampled_from(["a", "b.py", "ü", "é e", "-x"]), min_size=1, max_size=3).map("/".join)
_CONTENTS = st.one_of(st.sampled_from([b"", b"one\n", b"two\r\n", b"\0\xff"]), st.binary(max_size=40))
_REGULAR = st.sampled_from([SourceMode.REGULAR, SourceMode.EXECUTABLE])
_TARGETS = st.sampled_from([b"a", b"-x/..x", b"nowhere"])


def _make_tree(files: dict[str, tuple[SourceMode, bytes]]) -> list[SourceFile]:
    """Drop what lies below another file: a path is a file or a folder."""
    folders_are_free = (
        path for path in files if not any(path[:at] in files for at, letter in enumerate(path) if letter == "/")
    )
    return [SourceFile(path, *files[path]) for path in folders_are_free]


regular_trees = st.dictionaries(_PATHS, st.tuples(_REGULAR, _CONTENTS), max_size=8).map(_make_tree)
"""Trees of regular files."""

trees = st.dictionaries(
    _PATHS, st.one_of(st.tuples(_REGULAR, _CONTENTS), st.tuples(st.just(SourceMode.LINK), _TARGETS)), max_size=8
).map(_make_tree)
"""Trees of regular files and links that stay inside."""


def pack(*files: SourceFile) -> bytes:
    """Pack files into an archive's bytes."""
    target = BytesIO()
    pack_source(files, target)
    return target.getvalue()


def text_file(path: str, text: str, mode: SourceMode = SourceMode.REGULAR) -> SourceFile:
    """Make one file of text."""
    return SourceFile(path, mode, text.encode())


def read_folder(root: Path) -> set[SourceFile]:
    """Read the regular files and links below a folder."""
    found = set()
    for parent, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(parent, name)
            relative = path.relative_to(root).as_posix()
            if path.is_symlink():
                found.add(SourceFile(relative, SourceMode.LINK, os.fsencode(path.readlink())))
            elif path.is_file():
                executable = os.access(path, os.X_OK) and bool(path.stat().st_mode & 0o100)
                mode = SourceMode.EXECUTABLE if executable else SourceMode.REGULAR
                found.add(SourceFile(relative, mode, path.read_bytes()))
    return found
