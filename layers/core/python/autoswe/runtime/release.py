"""Names the installed program by a digest of its files, so that no workflow runs with another program (review §4.4).

``python -m autoswe.runtime.release`` prints the digest that a workflow is deployed with.
"""

import sys
from hashlib import sha256
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_NOT_INSTALLED = frozenset({"__pycache__", "cli"})
"""What the layer leaves out: compiled files, and the command line."""


def release_digest(package: Path = _PACKAGE) -> str:
    """Return the SHA-256 of the package's files: of each its path and the digest of its content, in order of paths."""
    files = (path for path in package.rglob("*") if path.is_file() and not _left_out(path.relative_to(package)))
    lines = (f"{path.relative_to(package).as_posix()}\0{sha256(path.read_bytes()).hexdigest()}\n" for path in files)
    return sha256("".join(sorted(lines)).encode()).hexdigest()


def _left_out(path: Path) -> bool:
    return not _NOT_INSTALLED.isdisjoint(path.parts)


if __name__ == "__main__":
    sys.stdout.write(f"{release_digest()}\n")
