"""The source archive carries a commit's files exactly, and nothing that could land elsewhere (architecture §5)."""

import gzip
import tarfile
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoswe.rules.source import archive as source_archive
from autoswe.rules.source.archive import (
    PathFault,
    SourceFile,
    SourceMode,
    SourceRefused,
    find_path_fault,
    git_blob_id,
    pack_source,
    read_source,
    stays_inside,
)
from tests.tasks.source_trees import pack, text_file, trees


def read(archive: bytes) -> list[SourceFile]:
    return list(read_source(BytesIO(archive)))


def tar_of(*members: tarfile.TarInfo, content: bytes = b"") -> bytes:
    """Build an archive that our own packing would refuse to make."""
    target = BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for member in members:
            member.size = len(content) if member.isreg() else 0
            tar.addfile(member, BytesIO(content) if member.isreg() else None)
    return target.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, *, mode: int = 0o644, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.mode, made.linkname = kind, mode, target
    return made


@settings(deadline=None)
@given(trees)
def test_what_was_packed_is_read_back_sorted_by_path(files: list[SourceFile]) -> None:
    assert read(pack(*files)) == sorted(files, key=lambda file: file.path.encode())


@settings(deadline=None)
@given(trees, st.randoms())
def test_the_same_files_give_the_same_bytes_in_whatever_order(files: list[SourceFile], random: Random) -> None:
    shuffled = random.sample(files, len(files))
    assert pack(*files) == pack(*shuffled)


def test_the_bytes_do_not_depend_on_where_they_are_written(tmp_path: Path) -> None:
    for name in ("one", "another"):
        with (tmp_path / name).open("wb") as target:
            pack_source([text_file("a", "")], target)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "another").read_bytes() == pack(text_file("a", ""))


def test_the_bytes_carry_no_time_and_no_name() -> None:
    """RFC 1952 says in octet 3 what is there, and has the time in octets 4 to 7; tar has one in each file's header."""
    archive = pack(text_file("a", ""))
    assert archive[3:8] == bytes(5)
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        assert [member.mtime for member in tar] == [0]


def test_a_link_is_stored_as_tar_stores_links() -> None:
    with tarfile.open(fileobj=BytesIO(pack(text_file("a", "b", SourceMode.LINK)))) as tar:
        assert [(link.type, link.mode, link.linkname, link.size) for link in tar] == [(tarfile.SYMTYPE, 0o777, "b", 0)]


def test_long_and_non_ascii_paths_survive() -> None:
    files = [text_file("/".join(["d" * 100] * 20), "deep"), text_file("naïve/日本語.txt", "x")]
    assert read(pack(*files)) == files


def test_git_knows_a_blob_by_the_same_name() -> None:
    """The two ids are those that `git hash-object` prints for an empty file and for "hello"."""
    assert git_blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert SourceFile("x", SourceMode.REGULAR, b"hello\n").blob_id == "ce013625030ba8dba906f756967f9e9ca394464a"


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("a", None),
        ("a b/ü.py", None),
        (".gitignore", None),
        ("x/.github/workflows/ci.yml", None),
        ("a\\b", None),
        ("/etc/passwd", PathFault.ABSOLUTE),
        ("", PathFault.NOT_PLAIN),
        ("a//b", PathFault.NOT_PLAIN),
        ("a/", PathFault.NOT_PLAIN),
        ("./a", PathFault.NOT_PLAIN),
        ("../a", PathFault.NOT_PLAIN),
        ("a/../../b", PathFault.NOT_PLAIN),
        ("a\0b", PathFault.NUL),
        ("a\udcff", PathFault.NOT_UTF8),
        (".git/config", PathFault.GIT_FOLDER),
        ("a/.GIT/hooks/x", PathFault.GIT_FOLDER),
        ("a/.git. ", PathFault.GIT_FOLDER),
        ("GIT~1/config", PathFault.GIT_FOLDER),
        (".g\u200cit/config", PathFault.GIT_FOLDER),
        ("x" * 255, None),
        ("x" * 256, PathFault.TOO_LONG),
        ("ü" * 128, PathFault.TOO_LONG),
        ("/".join(["x" * 240] * 17), None),
        ("/".join(["x" * 240] * 16 + ["x" * 241]), PathFault.TOO_LONG),
        ("/".join("x" * 100), None),
        ("/".join("x" * 101), PathFault.TOO_DEEP),
    ],
)
def test_a_path_must_plainly_name_a_file_below_the_root(path: str, fault: PathFault | None) -> None:
    assert find_path_fault(path) == fault


@pytest.mark.parametrize("target", ["b", "./b/c", "../b", "..", "../../a", "./../b", "..//../b", "x//y/", "nowhere"])
def test_a_link_that_stays_inside_is_kept(target: str) -> None:
    link = text_file("d/e/link", target, SourceMode.LINK)
    assert stays_inside(link.path, link.content)
    assert read(pack(link)) == [link]


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../../x", "../../..", "b/../../../../x", "b/..", "", "a\0b", "x" * 4096]
)
def test_a_link_that_may_lead_outside_refuses_the_whole_archive_at_both_ends(target: str) -> None:
    assert not stays_inside("d/e/link", target.encode())
    with pytest.raises(SourceRefused, match="may lead out of the repository"):
        pack(text_file("d/e/link", target, SourceMode.LINK))
    if "\0" not in target:
        with pytest.raises(SourceRefused, match="may lead out of the repository"):
            read(tar_of(member("d/e/link", tarfile.SYMTYPE, target=target)))


def test_a_link_whose_target_is_no_text_is_not_followed_in_thought_either() -> None:
    assert not stays_inside("link", b"\xff")
    with pytest.raises(SourceRefused, match="may lead out of the repository"):
        pack(SourceFile("link", SourceMode.LINK, b"\xff"))


def test_a_stored_link_whose_target_is_no_text_is_refused() -> None:
    target = BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", format=tarfile.GNU_FORMAT) as tar:
        tar.addfile(member("link", tarfile.SYMTYPE, target="a\udcff"))
    with pytest.raises(SourceRefused, match="may lead out of the repository"):
        read(target.getvalue())


def test_links_cannot_be_chained_to_the_outside() -> None:
    """`up` climbs to the root, which is inside; a second link that climbs on from there would leave it."""
    with pytest.raises(SourceRefused, match="'out'"):
        pack(text_file("d/up", "..", SourceMode.LINK), text_file("out", "d/up/..", SourceMode.LINK))


@pytest.mark.parametrize(
    "kind", [tarfile.DIRTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE]
)
def test_anything_but_plain_files_and_links_refuses_the_whole_archive(kind: bytes) -> None:
    with pytest.raises(SourceRefused, match="neither a plain file nor a link"):
        read(tar_of(member("a"), member("x", kind, target="a")))


def test_a_file_with_holes_is_refused() -> None:
    """What such a file unpacks to has little to do with what was stored."""
    target = BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        sparse = member("x")
        sparse.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": "1000"}
        tar.addfile(sparse)
    with pytest.raises(SourceRefused, match="neither a plain file nor a link"):
        read(target.getvalue())


@pytest.mark.parametrize("mode", [0o600, 0o4755, 0o777])
def test_a_mode_that_git_does_not_have_is_refused(mode: int) -> None:
    with pytest.raises(SourceRefused, match=f"with the mode {mode:o}"):
        read(tar_of(member("x", mode=mode)))


@pytest.mark.parametrize("name", ["../x", "/x", "a/../x", ".git/config", "a/./b"])
def test_a_name_that_escapes_is_refused_when_read_and_when_packed(name: str) -> None:
    with pytest.raises(SourceRefused, match="is refused"):
        read(tar_of(member(name)))
    with pytest.raises(SourceRefused, match="is refused"):
        pack(text_file(name, ""))


def test_a_name_that_is_not_utf8_is_refused() -> None:
    target = BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", format=tarfile.GNU_FORMAT) as tar:
        tar.addfile(member("a\udcff"))
    with pytest.raises(SourceRefused, match="not UTF-8"):
        read(target.getvalue())
    with pytest.raises(SourceRefused, match="not UTF-8"):
        pack(text_file("a\udcff", ""))


@pytest.mark.parametrize(
    "members",
    [
        [member("x" * 300)],
        [member("x" * 250), member("x" * 250)],
        [member("x" * 250, tarfile.SYMTYPE, target="/")],
        [member("x" * 250, tarfile.FIFOTYPE)],
        [member("x" * 250, mode=0o600)],
    ],
)
def test_a_refusal_shows_two_hundred_characters_of_a_path_at_most(members: list[tarfile.TarInfo]) -> None:
    with pytest.raises(SourceRefused, match=f" '{'x' * 200}'"):
        read(tar_of(*members))


@pytest.mark.parametrize(
    "members",
    [
        [member("a"), member("a")],
        [member("a"), member("a/b")],
        [member("a/b"), member("a")],
        [member("a", tarfile.SYMTYPE, target="b"), member("a/c")],
        [member("a/c"), member("a", tarfile.SYMTYPE, target="b")],
    ],
)
def test_a_path_is_one_file_and_nothing_lies_below_a_file_or_link(members: list[tarfile.TarInfo]) -> None:
    with pytest.raises(SourceRefused, match="twice, or as a file and as a folder"):
        read(tar_of(*members))


def test_content_is_bounded_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = pack(text_file("a", "12345"), text_file("b", "67890"))
    monkeypatch.setattr(source_archive, "MAX_SOURCE_BYTES", 10)
    assert len(read(archive)) == 2
    monkeypatch.setattr(source_archive, "MAX_SOURCE_BYTES", 9)
    with pytest.raises(SourceRefused, match="more than 9 bytes"):
        read(archive)


def test_the_number_of_files_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = pack(text_file("a", ""), text_file("b", ""))
    monkeypatch.setattr(source_archive, "MAX_SOURCE_FILES", 2)
    assert len(read(archive)) == 2
    monkeypatch.setattr(source_archive, "MAX_SOURCE_FILES", 1)
    with pytest.raises(SourceRefused, match="more than 1 files"):
        read(archive)
    with pytest.raises(SourceRefused, match="more than 1 files"):
        pack(text_file("a", ""), text_file("b", ""))


def test_a_header_that_unpacks_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long name travels in a block of its own, whose size no file's bound covers."""
    archive = pack(text_file("/".join(["d" * 200] * 20), ""))
    monkeypatch.setattr(source_archive, "_STREAM_BOUND", 2048)
    with pytest.raises(SourceRefused, match="unpacks to more than 2048 bytes"):
        read(archive)


def test_content_beyond_the_bound_of_the_stream_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = pack(text_file("a", "x" * 5_000))
    monkeypatch.setattr(source_archive, "_STREAM_BOUND", 4_000)
    with pytest.raises(SourceRefused, match="unpacks to more than 4000 bytes"):
        next(read_source(BytesIO(archive)))


def test_the_filling_after_a_file_counts_towards_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tar fills each file up to a multiple of 512 bytes; its header has 512 as well."""
    archive = pack(text_file("a", "x" * 100))
    monkeypatch.setattr(source_archive, "_STREAM_BOUND", 1_000)
    with pytest.raises(SourceRefused, match="unpacks to more than 1000 bytes"):
        read(archive)


def test_nothing_of_an_archive_that_was_compressed_twice_is_read() -> None:
    """What the inner layer unpacks to would be under no bound."""
    with pytest.raises(SourceRefused, match="damaged"):
        next(read_source(BytesIO(gzip.compress(pack(text_file("a", ""))))))


def test_an_archive_of_nothing_is_empty() -> None:
    assert read(pack()) == []


def test_every_cut_of_an_archive_is_noticed() -> None:
    archive = pack(text_file("a", "one"), text_file("b", "two"))
    for end in range(len(archive)):
        with pytest.raises(SourceRefused):
            read(archive[:end])


def test_a_tar_that_was_cut_or_overwritten_before_it_was_compressed_is_noticed() -> None:
    """A reader that takes the first broken header for the end would silently lose the second file."""
    plain = gzip.decompress(pack(text_file("a", "one"), text_file("b", "two")))
    for damaged in (plain[:1024], plain[:1536], plain[:1300]):
        with pytest.raises(SourceRefused, match=r"^the source archive is damaged: "):
            read(gzip.compress(damaged))
    with pytest.raises(SourceRefused, match=r"^the source archive is damaged: it ends within a file's header$"):
        read(gzip.compress(plain[:1024] + b"x" * 512 + plain[1536:]))
    with pytest.raises(SourceRefused, match=r"^the source archive is damaged: something follows its end$"):
        read(gzip.compress(plain + b"x"))


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_what_is_no_archive_is_refused_with_a_sentence(content: bytes) -> None:
    with pytest.raises(SourceRefused):
        read(content)


@settings(deadline=None)
@given(trees, st.data())
def test_a_damaged_archive_is_refused_or_still_holds_lawful_paths(files: list[SourceFile], data: st.DataObject) -> None:
    plain = bytearray(gzip.decompress(pack(*files)))
    for _ in range(3):
        plain[data.draw(st.integers(0, len(plain) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read(gzip.compress(bytes(plain)))
    except SourceRefused:
        return
    assert all(find_path_fault(file.path) is None for file in found)
