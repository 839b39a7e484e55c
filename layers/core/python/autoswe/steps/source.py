"""Stores the head commit's source where the containers read it, verified file by file (architecture §5).

The host's archive honours ``export-ignore``, ``export-subst``, line-ending and large-file attributes, so it is not the
tree: every file is compared with the tree's blob ids, and what differs or is missing is fetched as a blob.
"""

import tarfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from tempfile import TemporaryFile
from typing import BinaryIO

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.github import MOST_TEXTS, PartialAnswer, Refused, SourceHost
from autoswe.rules.github.facts import Tree, TreeEntry
from autoswe.rules.source.archive import (
    MAX_SOURCE_BYTES,
    SourceFile,
    SourceMode,
    SourceRefused,
    git_blob_id,
    pack_source,
    stays_inside,
)

MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
"""How large the host's compressed archive may be."""

MAX_BLOB_BYTES = 32 * 1024 * 1024
MAX_FETCHED_BLOBS = 500
"""How many files that differ from the archive may be binary or large; texts are fetched many at a time."""

MAX_FETCHED_TEXTS = 20_000
MAX_TEXT_BYTES = 256 * 1024
MAX_BATCH_BYTES = 2 * 1024 * 1024
"""How much text one batch asks for; GitHub gives a query ten seconds."""

SUBMODULE = "160000"


def store_source(
    host: SourceHost, artifacts: Artifacts, key: str, commit_sha: str, wanted: set[str]
) -> tuple[ArtifactReference, dict[str, bytes]]:
    """Store the source archive of a commit, and return its reference with the contents of the wanted paths.

    Raises ``Refused`` for a source beyond the bounds, or a tree that cannot be read whole. Submodules, and links
    that lead out of the repository, are not part of the source.
    """
    tree = host.tree(commit_sha)
    if tree.truncated:
        raise Refused("the tree of the head commit cannot be read whole")
    if sum(entry.size or 0 for entry in tree.entries) > MAX_SOURCE_BYTES:
        raise Refused("the source of the head commit is larger than a round may read")
    with TemporaryFile() as archive, TemporaryFile() as packed:
        host.archive(commit_sha, archive, MAX_ARCHIVE_BYTES)
        contents: dict[str, bytes] = {}
        try:
            pack_source(_keep_wanted(_files(host, tree, archive), wanted, contents), packed)
        except SourceRefused as refusal:
            raise Refused(str(refusal)) from refusal
        return artifacts.put_file(key, packed), contents


def _keep_wanted(files: Iterator[SourceFile], wanted: set[str], contents: dict[str, bytes]) -> Iterator[SourceFile]:
    for file in files:
        if file.path in wanted and file.mode is not SourceMode.LINK:
            contents[file.path] = file.content
        yield file


def _files(host: SourceHost, tree: Tree, archive: BinaryIO) -> Iterator[SourceFile]:
    missing = {entry.path: entry for entry in tree.entries if entry.mode != SUBMODULE}
    archive.seek(0)
    for path, content in _archived(archive):
        entry = missing.get(path)
        if entry is not None and git_blob_id(content) == entry.sha:
            del missing[path]
            yield from _admit(entry, content)
    yield from _fetched(host, missing.values())


def _fetched(host: SourceHost, missing: Collection[TreeEntry]) -> Iterator[SourceFile]:
    """Fetch what the archive does not hold as the tree has it: texts in batches, the rest one by one."""
    if len(missing) > MAX_FETCHED_TEXTS:
        raise Refused("too many files of the head commit differ from the host's archive")
    alone = [entry for entry in missing if len(missing) == 1 or (entry.size or 0) > MAX_TEXT_BYTES]
    together = [entry for entry in missing if len(missing) > 1 and (entry.size or 0) <= MAX_TEXT_BYTES]
    for batch in _batches(together):
        texts = host.texts([entry.sha for entry in batch])
        for entry in batch:
            content = texts.get(entry.sha)
            if content is None:
                alone.append(entry)
            else:
                yield from _admit(entry, content)
    if len(alone) > MAX_FETCHED_BLOBS:
        raise Refused("too many binary or large files of the head commit differ from the host's archive")
    for entry in alone:
        content = host.blob(entry.sha, MAX_BLOB_BYTES)
        if git_blob_id(content) != entry.sha:
            raise PartialAnswer("the host gave another blob than the one asked for")
        yield from _admit(entry, content)


def _batches(entries: Iterable[TreeEntry]) -> Iterator[list[TreeEntry]]:
    """Put entries together as one query may ask for them."""
    batch: list[TreeEntry] = []
    size = 0
    for entry in entries:
        size += entry.size or 0
        if batch and (len(batch) == MOST_TEXTS or size > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], entry.size or 0
        batch.append(entry)
    if batch:
        yield batch


def _admit(entry: TreeEntry, content: bytes) -> Iterator[SourceFile]:
    try:
        mode = SourceMode(entry.mode)
    except ValueError:
        raise PartialAnswer(f"the tree holds a file of the unknown mode {entry.mode}") from None
    if mode is not SourceMode.LINK or stays_inside(entry.path, content):
        yield SourceFile(entry.path, mode, content)


def _archived(archive: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield path (below the top folder) and content of files and links; what is damaged is fetched as blobs instead."""
    # tarfile fails in these ways, too, on headers that are not as they should be.
    damage = (tarfile.TarError, EOFError, OSError, ValueError, RecursionError)
    with suppress(*damage), tarfile.open(fileobj=archive, mode="r|gz") as tar:
        for member in tar:
            _, _, path = member.name.partition("/")
            if member.issym():
                yield path, member.linkname.encode("utf-8", "surrogateescape")
            elif member.isreg() and member.size <= MAX_BLOB_BYTES and (reader := tar.extractfile(member)):
                yield path, reader.read()
