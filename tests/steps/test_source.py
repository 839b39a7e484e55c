"""A commit's source, stored file by file as its tree has it (architecture §5)."""

import io
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

import pytest

from autoswe.ports.github import MOST_TEXTS, PartialAnswer, Refused
from autoswe.rules.github.facts import Tree, TreeEntry
from autoswe.rules.source.archive import git_blob_id, read_source
from autoswe.steps.source import MAX_BATCH_BYTES, MAX_FETCHED_BLOBS, MAX_TEXT_BYTES, store_source
from tests.support.feedback.fakes import FakeArtifacts

HEAD = "a" * 40


@dataclass
class Host:
    """A host whose archive holds some of the files alone, as export attributes have it."""

    files: Mapping[str, bytes]
    archived: Mapping[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)
    truncated: bool = False
    wrong: bytes | None = None

    def tree(self, commit_sha: str) -> Tree:
        entries = tuple(self._entries())
        return Tree(commit_sha, entries, self.truncated)

    def _entries(self) -> Iterator[TreeEntry]:
        for path, content in self.files.items():
            yield TreeEntry(path, "100644", git_blob_id(content), len(content))

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        with tarfile.open(fileobj=into, mode="w:gz") as tar:
            for path, content in self.archived.items():
                member = tarfile.TarInfo(f"top/{path}")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))

    def blob(self, sha: str, max_bytes: int) -> bytes:
        self.asked.append(("blob", 1))
        return self._known[sha] if self.wrong is None else self.wrong

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        self.asked.append(("texts", len(shas)))
        return {sha: self._known[sha] for sha in shas if b"\0" not in self._known[sha]}

    @property
    def _known(self) -> Mapping[str, bytes]:
        return {git_blob_id(content): content for content in self.files.values()}


def stored(host: Host) -> Mapping[str, bytes]:
    artifacts = FakeArtifacts()
    reference, _ = store_source(host, artifacts, "source.tar.gz", HEAD, set())
    return {file.path: file.content for file in read_source(io.BytesIO(artifacts.get(reference)))}


def texts(number: int, size: int = 0) -> dict[str, bytes]:
    return {f"t{n}.txt": f"{n}\n".encode() + b"x" * size for n in range(number)}


def test_texts_that_the_archive_leaves_out_are_fetched_many_at_a_time() -> None:
    kept = {"kept.txt": b"kept\n"}
    host = Host(files={**kept, **texts(501)}, archived=kept)
    assert stored(host) == host.files
    assert host.asked == [("texts", MOST_TEXTS)] * 10 + [("texts", 1)]


def test_a_file_that_the_archive_rewrites_is_fetched_as_the_tree_has_it() -> None:
    host = Host(files={"a.txt": b"a\n", "b.txt": b"b\n"}, archived={"a.txt": b"a\r\n", "b.txt": b"b\n"})
    assert stored(host) == host.files
    assert host.asked == [("blob", 1)]


def test_a_batch_asks_for_no_more_text_than_a_query_may_take() -> None:
    host = Host(files=texts(12, MAX_TEXT_BYTES - 10))
    assert stored(host) == host.files
    assert [what for what, _ in host.asked] == ["texts"] * len(host.asked)
    assert all(number * (MAX_TEXT_BYTES - 10) <= MAX_BATCH_BYTES for _, number in host.asked)


def test_what_is_binary_or_large_is_fetched_alone() -> None:
    host = Host(files={**texts(3), "binary.png": b"\0\1", "large.txt": b"x" * (MAX_TEXT_BYTES + 1)})
    assert stored(host) == host.files
    assert sorted(host.asked) == [("blob", 1), ("blob", 1), ("texts", 4)]


def test_more_binary_files_than_are_fetched_alone_are_refused() -> None:
    host = Host(files={f"{n}.png": b"\0%d" % n for n in range(MAX_FETCHED_BLOBS + 1)})
    with pytest.raises(Refused):
        stored(host)
    assert ("blob", 1) not in host.asked


def test_a_tree_that_cannot_be_read_whole_is_refused_before_anything_is_fetched() -> None:
    host = Host(files=texts(2), truncated=True)
    with pytest.raises(Refused):
        stored(host)
    assert host.asked == []


def test_another_blob_than_the_one_asked_for_is_partial() -> None:
    with pytest.raises(PartialAnswer):
        stored(Host(files={"a.png": b"\0"}, wrong=b"another"))
