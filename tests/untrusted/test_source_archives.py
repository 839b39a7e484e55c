"""Archives: refused in one sentence or made of plain files; read once, forwards, and holding little at a time."""

import gzip
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from autoswe.rules.source.archive import SourceFile, SourceMode, SourceRefused, read_source
from autoswe.tasks.container.workspace import Workspace
from tests.support.hostile.archives import END, GOOD, CountingFile, archives, filled, header, octal, pax, record
from tests.support.hostile.paths import is_plain
from tests.tasks.source_trees import pack, read_folder, text_file
from tests.untrusted.properties import holds_for

MIB = 1024 * 1024
BOMB = 32 * MIB


def read(archive: bytes) -> list[SourceFile] | None:
    """Read an archive, reading each of its bytes once at most; nothing when it was refused, in one sentence."""
    file = CountingFile(archive)
    try:
        found = list(read_source(file))
    except SourceRefused as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017 - it may also not be raised
        found = None
    assert file.taken <= len(archive)
    return found


@holds_for(archives, examples=150)
def test_an_archive_is_refused_or_holds_plain_files_and_links_that_stay_inside(place: None, archive: Any) -> None:
    found = read(archive)
    if found is None:
        return
    paths = [file.path for file in found]
    assert len(set(paths)) == len(paths)
    for file in found:
        assert not file.path.startswith("/")
        assert {"", ".", "..", ".git"}.isdisjoint(file.path.split("/"))
        assert is_plain(file.path) or any(sign in file.path for sign in "\\:" + "".join(map(chr, range(32))) + "\x7f")
        assert not any(path.startswith(f"{file.path}/") for path in paths)
        if file.mode is SourceMode.LINK:
            assert not file.content.startswith(b"/")
            assert file.content.split(b"/").count(b"..") <= file.path.count("/")
    assert read(pack(*found)) == sorted(found, key=lambda file: file.path.encode())


class Folders:
    """A fresh place to unpack to for each archive."""

    def __init__(self, root: Path) -> None:
        self.root, self._made = root, 0

    def fresh(self) -> Path:
        """Name the next place."""
        self._made += 1
        return self.root / str(self._made)

    def nothing_else(self) -> bool:
        """Say whether nothing was made beside those places."""
        return {path.name for path in self.root.iterdir()} == {str(number + 1) for number in range(self._made)}


@contextmanager
def folders() -> Iterator[Folders]:
    with TemporaryDirectory(prefix="untrusted-", ignore_cleanup_errors=True) as name:
        yield Folders(Path(name))


@holds_for(archives, examples=40, place=folders)
def test_an_archive_that_is_unpacked_makes_what_it_holds_below_one_folder(place: Folders, archive: Any) -> None:
    target, expected = place.fresh(), read(archive)
    try:
        Workspace.unpack(CountingFile(archive), target)
        assert expected is not None
        assert read_folder(target) == set(expected)
    except SourceRefused:
        assert expected is None
    assert place.nothing_else()


CHAIN = 20_000
REFUSED = {
    "a chain of pax headers": pax(record(b"path", b"a")) * CHAIN + header() + END,
    "a chain of global headers": pax(record(b"comment", b"a"), b"g") * CHAIN + header() + END,
    "a chain of GNU long names": (header(kind=ord("L"), size=octal(2)) + filled(b"a\0")) * CHAIN + header() + END,
    "a pax header of one long number": pax(b"1" * 5000 + b" a=b\n") + header() + END,
    "a pax header that is too large": pax(record(b"path", b"a" * 10_000)) + header() + END,
    "a pax header before the end": pax(record(b"path", b"a")) + END,
    "a size in a pax record": pax(record(b"size", b"3")) + header() + filled(b"abc") + END,
    "a sparse map that is no list": pax(record(b"GNU.sparse.map", b"x")) + header() + END,
    "a negative size": header(size=octal(-512)) + END,
    "a link with content": header(kind=ord("2"), target=b"b", size=octal(3)) + filled(b"abc") + END,
    "a size beyond the stream": header(size=octal(100)) + END[:50],
    "a size beyond all bounds": header(size=octal(2**87)) + END,
    "no end": header(),
    "an end without end": header() + bytes(BOMB),
    "a device": header(kind=ord("3")) + END,
    "a hard link": header() + header(b"b", kind=ord("1"), target=b"a") + END,
}


@pytest.mark.parametrize("laid", REFUSED.values(), ids=REFUSED)
def test_what_our_own_packing_never_writes_is_refused(laid: bytes) -> None:
    assert read(gzip.compress(laid, 1)) is None


def test_the_longest_path_and_the_longest_link_are_carried() -> None:
    longest = "/".join(["p" * 255] * 16)
    link = text_file(longest[:-2], "./" * 2000 + "x" * 95, SourceMode.LINK)
    assert (len(longest), len(link.content)) == (4095, 4095)
    assert read(pack(link, text_file(longest, "deep"))) == [link, text_file(longest, "deep")]


@pytest.mark.parametrize(
    "laid",
    [
        header(size=octal(2**40)) + bytes(BOMB),
        header(kind=ord("x"), size=octal(BOMB)) + bytes(BOMB),
        header(kind=ord("L"), size=octal(BOMB)) + bytes(BOMB),
        header(kind=ord("S"), size=octal(BOMB)) + bytes(BOMB),
        END + bytes(BOMB),
    ],
    ids=["content", "pax header", "long name", "sparse file", "end"],
)
def test_a_bomb_is_refused_without_being_unpacked(laid: bytes) -> None:
    """Thirty-two mebibytes of nothing pack into a thousandth of that, and never come into memory."""
    bomb = gzip.compress(laid)
    assert len(bomb) < len(laid) // 900
    tracemalloc.start()
    try:
        assert read(bomb) is None
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * MIB


def test_a_good_archive_is_read_whole_and_once() -> None:
    file = CountingFile(GOOD)
    assert len(list(read_source(file))) == 5
    assert file.taken == len(GOOD)


def test_an_archive_may_end_anywhere_in_tars_records() -> None:
    """Tar fills its end up to twenty blocks, so that it is eleven thousand bytes long at most."""
    for number in range(25):
        files = [text_file(f"{name:02}", "") for name in range(number)]
        assert read(pack(*files)) == files
