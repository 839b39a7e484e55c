"""Which names a tree may not have, because some file system would take them for the repository's own.

Rules only. Source: the manual of git-fsck, which GitHub has every pushed object pass ("receive.fsckObjects"): the
messages ``fullPathname``, ``emptyName``, ``hasDot``, ``hasDotdot``, ``hasDotgit`` and ``gitmodulesSymlink``. A name is
``.git`` also in another letter case, with characters that HFS+ ignores, and in every way in which NTFS writes it: with
dots or spaces behind it, with a stream, and by its short name.
"""

import re

_IGNORED_BY_HFS = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_NTFS_TAIL = r"[. ]*(?::.*)?"
_DOT_GIT = re.compile(rf"(?:\.git|git~1){_NTFS_TAIL}", re.IGNORECASE | re.DOTALL)
_DOT_GITMODULES = re.compile(
    rf"(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9][0-9]){_NTFS_TAIL}",
    re.IGNORECASE | re.DOTALL,
)
_SYMLINK = "120000"


def is_malformed(path: str) -> bool:
    """Decide whether a path has a part that no tree may contain."""
    return "\0" in path or any(_is_forbidden(part) for part in path.split("/"))


def is_linked_gitmodules(path: str, mode: str) -> bool:
    """Decide whether an entry would be a symbolic link that git reads as the list of submodules."""
    name = _IGNORED_BY_HFS.sub("", path.rpartition("/")[2])
    return mode == _SYMLINK and _DOT_GITMODULES.fullmatch(name) is not None


def _is_forbidden(part: str) -> bool:
    # NTFS takes what follows a backslash for a name of its own.
    names = _IGNORED_BY_HFS.sub("", part).split("\\")
    return part in {"", ".", ".."} or any(_DOT_GIT.fullmatch(name) for name in names)
