"""Says which ``uses:`` values name code that can change under the same name (review §8.2)."""

import re2

_EXEMPT = ("./", "$/", "docker://")
_PINNED = re2.compile(r"[\w.\-]+/[\w.\-]+(?:/[\w.\-/]+)?@[0-9a-fA-F]{40}")


def is_unpinned(value: str) -> bool:
    """Say whether an action is named by anything but a commit's 40 hexadecimal digits.

    What belongs to the repository itself (``./``, ``$/``) and images (``docker://``) are not named by a commit.
    """
    plain = value.strip().strip("\"'").strip()
    return not plain.startswith(_EXEMPT) and not _PINNED.fullmatch(plain)
