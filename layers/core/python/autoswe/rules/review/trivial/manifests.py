"""Compares both whole sides of a manifest: they may differ in the versions of what they already name (review §8.2)."""

import json
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import re2

from autoswe.rules.review.diff.file_kinds import FileKind
from autoswe.rules.review.diff.yaml_tree import Tree, Unreadable, read_yaml
from autoswe.rules.review.trivial.pins import HASH_FORM, NO_FORM, pin_form
from autoswe.rules.text.strict_json import Malformed, parse_strictly

MAX_CHARACTERS = 262_144
_MAX_DEPTH = 32
_LONGEST_LINE = 10_000
"""A longer line of TOML is not parsed: a key of many parts takes time quadratic in their number."""
_END = "/"

Place = tuple[str, ...]

_PYPROJECT = re2.compile(
    r"(?:project/dependencies|project/optional-dependencies/[^/]+|dependency-groups/[^/]+|build-system/requires"
    r"|tool/(?:uv|pdm)/(?:dev-dependencies|constraint-dependencies|override-dependencies)(?:/[^/]+)?"
    r"|tool/hatch/envs/[^/]+/(?:extra-)?dependencies)/\d+"
    r"|tool/poetry/(?:group/[^/]+/)?(?:dev-)?dependencies/[^/]+(?:/version)?"
)
_CARGO = re2.compile(r"(?:target/.+/|workspace/)?(?:dev-|build-)?dependencies/[^/]+(?:/version)?")
_PACKAGE = re2.compile(r"(?:dev|peer|optional)?[dD]ependencies/.+")


def differs_in_pins_only(kind: FileKind, base: str, head: str) -> bool:
    """Say whether the sides of a manifest are the same but for versions; what cannot be read is not."""
    if max(len(base), len(head)) > MAX_CHARACTERS:
        return False
    return _COMPARISONS[kind](base, head)


def _same_lines(kind: FileKind) -> Callable[[str, str], bool]:
    def compare(base: str, head: str) -> bool:
        return list(_forms(kind, base)) == list(_forms(kind, head))

    return compare


def _forms(kind: FileKind, text: str) -> Iterator[str]:
    """Give each line's form, and a line that is no pin as it is."""
    in_block = ""
    for line in text.split("\n"):
        words = line.split()
        if kind is FileKind.GO_MOD and words[1:] == ["("]:
            in_block = words[0]
        elif words == [")"]:
            in_block = ""
        form = pin_form(kind, line, added=False) if in_block in {"", "require"} else None
        if form not in {NO_FORM, HASH_FORM}:
            yield line if form is None else form


def _same_trees(key: str, kind: FileKind) -> Callable[[str, str], bool]:
    def compare(base: str, head: str) -> bool:
        before, after = read_yaml(base), read_yaml(head)
        if isinstance(before, Unreadable) or isinstance(after, Unreadable):
            return False
        return _unpinned(before, key, kind) == _unpinned(after, key, kind)

    return compare


def _unpinned(tree: Tree, key: str, kind: FileKind) -> Tree:
    """Return a tree with the form of each pin in the pin's place."""
    if isinstance(tree, list):
        return [_unpinned(element, key, kind) for element in tree]
    if isinstance(tree, str):
        return tree
    return {
        name: pin_form(kind, f"{key}: {value}", added=False) or value
        if name == key and isinstance(value, str)
        else _unpinned(value, key, kind)
        for name, value in tree.items()
    }


def _same_values(
    read: Callable[[str], Any], places: Any, form: Callable[[str, str], str | None]
) -> Callable[[str, str], bool]:
    def compare(base: str, head: str) -> bool:
        before, after = read(base), read(head)
        if before is None or after is None or before.keys() != after.keys():
            return False
        for place, value in before.items():
            new = after[place]
            if value == new and type(value) is type(new):
                continue
            if not (isinstance(value, str) and isinstance(new, str) and places.fullmatch(_END.join(place))):
                return False
            old_form = form(place[-1], value)
            if old_form is None or old_form != form(place[-1], new):
                return False
        return True

    return compare


def _toml_form(kind: FileKind) -> Callable[[str, str], str | None]:
    def form(name: str, value: str) -> str | None:
        line = f'"{value}"' if name.isdecimal() else f'"x" = "{value}"'
        return pin_form(kind, line, added=True)

    return form


def _package_form(_: str, value: str) -> str | None:
    return pin_form(FileKind.PACKAGE_JSON, f'"x": "{value}"', added=True)


def _read_toml(text: str) -> dict[Place, Any] | None:
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        return None
    try:
        return _flat(tomllib.loads(text.replace("\r\n", "\n")))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None


def _read_json(text: str) -> dict[Place, Any] | None:
    document = parse_strictly(text.encode(errors="surrogatepass"), 4 * MAX_CHARACTERS)
    return None if isinstance(document, Malformed) else _flat(document.value)


def _flat(document: Any) -> dict[Place, Any] | None:
    """Give every value of a document by the way to it; an empty object or list is a value."""
    flat: dict[Place, Any] = {}
    left: list[tuple[Place, Any]] = [((), document)]
    while left:
        place, value = left.pop()
        if len(place) > _MAX_DEPTH:
            return None
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        if isinstance(value, dict | list) and value:
            left.extend(((*place, str(name)), each) for name, each in inside)
        else:
            flat[place] = value if not isinstance(value, dict | list) else json.dumps(value)
    return flat


_COMPARISONS: dict[FileKind, Callable[[str, str], bool]] = {
    FileKind.REQUIREMENTS: _same_lines(FileKind.REQUIREMENTS),
    FileKind.GO_MOD: _same_lines(FileKind.GO_MOD),
    FileKind.DOCKERFILE: _same_lines(FileKind.DOCKERFILE),
    FileKind.PRE_COMMIT: _same_trees("rev", FileKind.PRE_COMMIT),
    FileKind.WORKFLOW: _same_trees("uses", FileKind.WORKFLOW),
    FileKind.ACTION: _same_trees("uses", FileKind.ACTION),
    FileKind.PYPROJECT: _same_values(_read_toml, _PYPROJECT, _toml_form(FileKind.PYPROJECT)),
    FileKind.CARGO_TOML: _same_values(_read_toml, _CARGO, _toml_form(FileKind.CARGO_TOML)),
    FileKind.PACKAGE_JSON: _same_values(_read_json, _PACKAGE, _package_form),
}
