"""Tar archives laid block by block, as no archiver would write them."""

import gzip
from io import BytesIO

from hypothesis import strategies as st

from autoswe.rules.source.archive import SourceMode
from tests.support.hostile.json_documents import damaged
from tests.support.hostile.paths import file_names, paths
from tests.tasks.source_trees import pack, text_file

BLOCK = 512
END = bytes(2 * BLOCK)
TYPES = b"\x000123456789xgLKSXVMNDA"
"""Every type of entry that some archiver writes, and one that none does."""


def header(
    name: bytes = b"a", *, kind: int = ord("0"), size: bytes = b"00000000000\0", mode: bytes = b"0000644\0",
    target: bytes = b"", right: bool = True,
) -> bytes:  # fmt: skip
    """Lay a header of raw fields; ``right`` is whether its checksum is."""
    fields = [
        name[:100].ljust(100, b"\0"), mode, bytes(16), size, bytes(12), b" " * 8, bytes([kind]),
        target[:100].ljust(100, b"\0"), b"ustar\x0000", bytes(247),
    ]  # fmt: skip
    laid = b"".join(fields)
    assert len(laid) == BLOCK
    return laid[:148] + b"%06o\0 " % (sum(laid) + (not right)) + laid[156:]


def octal(number: int) -> bytes:
    """Spell a size as tar does, in octal where that has room and in base 256 where not or when it is negative."""
    if 0 <= number < 8**11:
        return b"%011o\0" % number
    return (b"\xff" if number < 0 else b"\x80") + (number % 256**11).to_bytes(11, "big")


def filled(content: bytes) -> bytes:
    """Fill content up to whole blocks."""
    return content + bytes(-len(content) % BLOCK)


def record(name: bytes, value: bytes) -> bytes:
    """Lay a pax record; its length counts itself."""
    rest = b" " + name + b"=" + value + b"\n"
    length = len(rest) + len(str(len(rest)))
    return str(length + (len(str(length)) > len(str(len(rest))))).encode() + rest


def pax(records: bytes, kind: bytes = b"x") -> bytes:
    """Lay a pax header before a file's own."""
    return header(b"pax", kind=kind[0], size=octal(len(records))) + filled(records)


_NAMES = st.sampled_from([
    b"path", b"linkpath", b"size", b"hdrcharset", b"mtime", b"mode", b"SCHILY.xattr.user.x", b"",
    b"GNU.sparse.map", b"GNU.sparse.major", b"GNU.sparse.size", b"GNU.sparse.name",
])  # fmt: skip
_VALUES = st.one_of(
    file_names(),
    paths.map(lambda path: path.encode(errors="surrogatepass")),
    st.sampled_from([b"", b"-1", b"-1024", b"9" * 30, b"9" * 5000, b"0,0", b"BINARY", b"nan", b"1e9", b"\0"]),
)
_RECORDS = st.lists(st.builds(record, _NAMES, _VALUES), max_size=3).map(b"".join)
_MALFORMED = st.sampled_from(
    [b"", b" ", b"0 a=b\n", b"1 a=b\n", b"6 a=b\n", b"7 a=b\n", b"-6 a=b\n", b"6 a=b", b"9" * 5000 + b" a=b\n",
     b"6  a=b\n", b"5 a=\n", b"4 =\n", b"1" * 8000, b"6 path\n", b"\xff\xff", b"0" * 4000 + b"6 a=b\n"]
)  # fmt: skip
_SIZES = st.sampled_from([-(2**40), -1024, -512, -1, 0, 1, 3, 511, 512, 513, 8**11, 2**40, 2**87]).map(
    octal
) | st.binary(min_size=12, max_size=12)
_MODES = st.sampled_from([b"0000644\0"] * 3 + [b"0000755\0", b"0000777\0", b"0004755\0", b"0000000\0", b"\xff" * 8])


@st.composite
def entries(draw: st.DrawFn) -> bytes:
    """Draw an entry: mostly headers that are well laid and say something hostile."""
    if draw(st.integers(0, 2)) == 0:
        return pax(draw(_RECORDS | _MALFORMED), draw(st.sampled_from([b"x", b"x", b"x", b"g", b"X"])))
    content = draw(st.binary(max_size=20))
    return header(
        draw(file_names() | paths.map(lambda path: path.encode(errors="surrogatepass"))),
        kind=draw(st.sampled_from([ord("0")] * 5 + [ord("2")] * 3) | st.sampled_from(TYPES)),
        size=octal(len(content)) if draw(st.integers(0, 2)) else draw(_SIZES),
        mode=draw(_MODES),
        target=draw(st.just(b"") | file_names() | st.sampled_from([b"../x", b"/etc/passwd", b"a/..", b"b"])),
        right=draw(st.integers(0, 9)) > 0,
    ) + filled(content)


tars = st.builds(
    lambda laid, end: b"".join(laid) + end,
    st.lists(entries(), max_size=5),
    st.sampled_from([END, END, END, b"", bytes(BLOCK), bytes(200 * BLOCK), END + b"x", bytes(100)]),
)
"""Whole archives before they are compressed."""

GOOD = pack(
    text_file("a.py", "print()\n"),
    text_file("d/é.md", "x" * 600),
    text_file("/".join(["long"] * 60), ""),
    text_file("run.sh", "true\n", SourceMode.EXECUTABLE),
    text_file("d/link", "../a.py", SourceMode.LINK),
)

archives = st.one_of(
    tars.map(gzip.compress),
    damaged(gzip.decompress(GOOD)).map(gzip.compress),
    damaged(GOOD),
    st.sampled_from([GOOD + GOOD, GOOD + b"\0" * 9, GOOD + b"x", GOOD[:-8], GOOD[:-4] + bytes(4), gzip.compress(GOOD)]),
    st.lists(tars, min_size=2, max_size=3).map(lambda parts: b"".join(map(gzip.compress, parts))),
    st.binary(max_size=60),
)  # fmt: skip
"""What may lie where a source archive should, compressed well, badly, or not at all."""


class CountingFile(BytesIO):
    """An archive that counts the bytes that were read of it."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read and count."""
        piece = super().read(size)
        self.taken += len(piece)
        return piece
