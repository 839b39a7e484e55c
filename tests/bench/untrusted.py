"""What reading untrusted input costs, by the mebibyte: large good input, and input that is large to do harm."""

import gzip
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from statistics import median

from autoswe.contracts.intake.deliveries import MalformedDelivery, read_payload
from autoswe.rules.source.archive import SourceRefused, read_source
from autoswe.steps.feedback.fixer_results import ResultsRefused
from tests.bench.receive_delivery import sized
from tests.bench.scale import Scale
from tests.support.feedback.hostile_results import change_of, file_change, read_documents
from tests.support.hostile.archives import END, header
from tests.tasks.source_trees import pack, text_file

TITLE = "untrusted input"

Read = Callable[[bytes], None]

MIB = 1024 * 1024


def measure(scale: Scale) -> Iterator[str]:
    """Measure each kind, good and hostile."""
    yield f"median throughput over {scale.seconds} s, or once"
    for name, content, read, *size in _inputs(scale.share):
        yield _line(name, content, read, size[0] if size else len(content), scale.seconds)


def _inputs(share: int) -> Iterator[tuple[str, bytes, Read] | tuple[str, bytes, Read, int]]:
    """Give the name of each input, its bytes, its reader and, where they are packed, how many they stand for."""
    mib = MIB // share
    yield "delivery, good", sized(5 * mib, "Looks good to me.")["body"].encode(), _read_delivery
    yield "delivery, deeply nested", b"[" * 5 * mib, _read_delivery
    change = change_of(*[file_change(f"file-{number}", None, b"x" * (3 * mib // 2)) for number in range(7)])
    yield "change, good", json.dumps(change).encode(), _read_change
    yield "change, millions of values", b'{"files":[' + b"[]," * 5 * mib, _read_change
    yield "change, one string without an end", b'"' + b'\\"' * 7 * mib, _read_change
    files = [text_file(f"d{number % 50}/f{number}", f"line {number}\n" * 400) for number in range(4000 // share)]
    held = sum(len(file.content) for file in files)
    yield "archive, good, by what it holds", pack(*files), _read_archive, held
    empty = b"".join(header(b"%d" % number) for number in range(40_000 // share)) + END
    yield "archive, empty files, by what it unpacks to", gzip.compress(empty), _read_archive, len(empty)


def _line(name: str, content: bytes, read: Read, size: int, seconds: float) -> str:
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while not taken or time.perf_counter() < end:
        start = time.perf_counter()
        read(content)
        taken.append(time.perf_counter() - start)
    return f"  {name:<44}{size / MIB / median(taken):7.0f} MB/s"


def _read_delivery(body: bytes) -> None:
    with suppress(MalformedDelivery):
        read_payload(body)


def _read_change(document: bytes) -> None:
    with suppress(ResultsRefused):
        read_documents(change=document)


def _read_archive(archive: bytes) -> None:
    with suppress(SourceRefused):
        for _ in read_source(BytesIO(archive)):
            pass
