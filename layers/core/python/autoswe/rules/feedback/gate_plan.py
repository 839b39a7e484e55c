"""Which gates a repository has, read from the manifests of the base commit (feedback §3).

The head's manifests belong to the change under review and choose nothing.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

MANIFESTS = ("Makefile", "package.json", "pyproject.toml")
"""The base commit's files that gates are detected from, at the root of the repository."""

MAX_MANIFEST_BYTES = 256 * 1024

MAKE_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)[ \t]*:(?!=)", re.MULTILINE)


@dataclass(frozen=True)
class DetectedGates:
    """The commands found; each is a program with its arguments, none means there is no such gate."""

    setup: tuple[tuple[str, ...], ...] = ()
    lint: tuple[str, ...] | None = None
    typecheck: tuple[str, ...] | None = None
    tests: tuple[str, ...] | None = None


def detect_gates(manifests: Mapping[str, bytes]) -> DetectedGates:
    """Choose gates: a Makefile's targets, else npm scripts, else what a Python project configures.

    A manifest that does not parse offers no gates, as if it were not there.
    """
    if "Makefile" in manifests:
        found = _from_makefile(manifests["Makefile"])
        if found != DetectedGates():
            return found
    if "package.json" in manifests:
        return _from_package(manifests["package.json"])
    if "pyproject.toml" in manifests:
        return _from_pyproject(manifests["pyproject.toml"])
    return DetectedGates()


def _from_makefile(content: bytes) -> DetectedGates:
    targets = set(MAKE_TARGET.findall(content.decode(errors="replace")))

    def target(*names: str) -> tuple[str, ...] | None:
        return next((("make", name) for name in names if name in targets), None)

    return DetectedGates(lint=target("lint"), typecheck=target("typecheck", "types"), tests=target("test", "tests"))


def _from_package(content: bytes) -> DetectedGates:
    try:
        package = json.loads(content)
    except (ValueError, RecursionError):
        return DetectedGates()
    scripts = package.get("scripts") if isinstance(package, dict) else None
    if not isinstance(scripts, dict):
        return DetectedGates()

    def script(*names: str) -> tuple[str, ...] | None:
        return next((("npm", "run", name) for name in names if isinstance(scripts.get(name), str)), None)

    return DetectedGates(
        setup=(("npm", "ci"),), lint=script("lint"), typecheck=script("typecheck", "types"), tests=script("test")
    )


def _from_pyproject(content: bytes) -> DetectedGates:
    try:
        tools = tomllib.loads(content.decode()).get("tool")
    except (ValueError, RecursionError):
        return DetectedGates()
    if not isinstance(tools, dict):
        return DetectedGates()
    python = ("python3", "-m")
    return DetectedGates(
        lint=(*python, "ruff", "check", ".") if "ruff" in tools else None,
        typecheck=(*python, "mypy") if "mypy" in tools else None,
        tests=(*python, "pytest") if "pytest" in tools else None,
    )
