"""Paths as somebody who means harm would spell them, and a judge of paths that shares nothing with the product."""

from unicodedata import category, normalize

from hypothesis import strategies as st

GIT_FOLDERS = (
    ".git", ".GIT", ".Git", ".giT", "git~1", "GIT~1", ".git.", ".git ", ".git . .", ".git...", "git~1.", "git~1 ",
    ".g\u200cit", ".git\u200b", "\ufeff.git", ".g\u2060i\u00adt", ".gi\u202et", ".GI\u200dT. ",
    ".git::$INDEX_ALLOCATION", ".git:x", ".git\\config", "a\\.git\\config", "git~1:x",
)  # fmt: skip
"""Names that some file system takes for git's folder (git documentation, "git-fsck": hasDotgit)."""

_PARTS = (
    "", ".", "..", "...", ". ", " ", "a", "A", "b.py", "README.md", "\0", "a\0b", "a\nb", "\r", "\x1b[31m", "\x7f",
    "a\\b", "..\\..\\x", "C:", "C:\\x", "con", "nul.txt", "a:stream", "~", "~root", "$HOME", "%2e%2e", "-rf", "*", "?",
    "é", "e\u0301", "ﬁ", "K", "ı", "\u202efdp.exe", "\u2215etc", "．．", "／", "日本語",
    "x" * 255, "x" * 256, "é" * 127, "é" * 128, ".github", "workflows", "action.yml",
    *GIT_FOLDERS,
)  # fmt: skip

path_parts = st.sampled_from(_PARTS) | st.text(max_size=6)
paths = st.one_of(
    st.lists(path_parts, min_size=1, max_size=4).map("/".join),
    path_parts.map("/".__add__),
    st.integers(90, 110).map(lambda depth: "/".join(["d"] * depth)),
    st.integers(4080, 4110).map(lambda length: "/".join(["y" * 200] * 30)[:length]),
)
"""Paths of hostile parts: absolute, dotted, deep, long, in every spelling; lone surrogates are left to bytes."""

ENCODINGS = ("utf-8", "latin-1", "utf-16-le", "utf-16-be", "shift_jis", "gb18030", "koi8-r", "utf-7", "cp437", "hz")


@st.composite
def file_names(draw: st.DrawFn) -> bytes:
    """Draw a name that Linux takes: any bytes but ``/`` and NUL, 1 to 255 of them, in one encoding or another."""
    encoded = draw(path_parts).encode(draw(st.sampled_from(ENCODINGS)), "ignore") + draw(st.binary(max_size=2))
    name = encoded.replace(b"/", b"").replace(b"\0", b"")[:255]
    return name if name not in {b"", b".", b".."} else b"name"


def is_plain(path: str) -> bool:
    """Say whether a path can be nothing but a file below the root, on Linux, macOS and Windows alike."""
    windows = path.replace("\\", "/")
    if any(category(one) == "Cc" and one < "\x80" for one in path):
        return False
    return all(part not in {"", ".", ".."} and not _is_git_folder(part) for part in windows.split("/"))


def _is_git_folder(part: str) -> bool:
    seen = "".join(one for one in normalize("NFC", part) if category(one) != "Cf").lower()
    name = seen.split(":")[0].rstrip(". ")
    return name in {".git", "git~1"}
