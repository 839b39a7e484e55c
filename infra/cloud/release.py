"""Names the program that the core layer installs, as each function of a review names the one it runs in (review §4.4).

It is ``autoswe.runtime.release`` over again, because the cloud assembly imports no product code; a test compares both.
"""

from hashlib import sha256
from pathlib import Path

from infra.cloud.names import REPOSITORY

_PACKAGE = REPOSITORY / "layers" / "core" / "python" / "autoswe"
_NOT_INSTALLED = {"__pycache__", "cli"}


def release_digest(package: Path = _PACKAGE) -> str:
    """Return the SHA-256 over a line for each installed file: its path, a zero, and the SHA-256 of its content."""
    installed = {
        path.relative_to(package).as_posix(): path
        for path in package.rglob("*")
        if path.is_file() and _NOT_INSTALLED.isdisjoint(path.relative_to(package).parts)
    }
    lines = sorted(f"{name}\0{sha256(path.read_bytes()).hexdigest()}\n" for name, path in installed.items())
    return sha256("".join(lines).encode()).hexdigest()
