"""Reads the lines of manifests that only say which version of something is used (review §8.2).

Of such a line a **form** is kept: the line with the version left out. Two lines with the same form differ in nothing
but the version, so no source, path, option, script or other package can ride along.
"""

from collections.abc import Callable, Iterable, Sequence

import re2

from autoswe.rules.review.diff.file_kinds import FileKind

NO_FORM = ""
"""The form of a line that says nothing: a blank one."""
HASH_FORM = "hash"
"""The form of a line that only holds the digest of a requirement."""

MAX_CHANGED_LINES = 5_000
_LONGEST_LINE = 2_000

_VERSION = r"v?[0-9][\w.!+*\-]*"
_SPEC = rf"(?:===|==|~=|!=|<=|>=|<|>|=|\^|~)?\s*{_VERSION}"
_SPECS = rf"{_SPEC}(?:\s*,\s*{_SPEC})*"
_NAME = r"[A-Za-z0-9][\w.\-]*\s*(?:\[[\w ,.\-]*\])?"
_PINNED = rf"{_NAME}\s*(?:===|==|~=|!=|<=|>=|<|>)\s*{_VERSION}(?:\s*,\s*{_SPEC})*"
_MARKER = r"""(?:\s*;[\w\s.'"<>=!()]*)?"""
_HASH_OPTION = " --hash="
_HASH = r"--hash=sha(?:256|384|512):[0-9a-f]+"

_COMPARED_VERSION = re2.compile(rf"([=<>~]\s*){_VERSION}")
_LEADING_VERSION = re2.compile(rf"((?:^|,)\s*[=<>~^!]*\s*){_VERSION}")
_REQUIREMENT = re2.compile(rf"({_PINNED})({_MARKER}\s*(?:#.*)?\\?)")
_REQUIREMENT_HASHED = re2.compile(rf"({_PINNED})({_MARKER})((?:\s+{_HASH})+\s*\\?)")
_HASH_LINE = re2.compile(rf"\s+{_HASH}\s*\\?")
_QUOTED_REQUIREMENT = re2.compile(rf"""(\s*["'])({_PINNED})({_MARKER}["'],?\s*)""")
_REQUIREMENT_LIST = re2.compile(rf"""(\s*[\w\-]+\s*=\s*\[)((?:\s*["']{_PINNED}["']\s*,?)+)(\s*\],?\s*)""")
_KEYED_SPEC = re2.compile(rf"""(\s*["']?([\w.\-]+)["']?\s*=\s*["'])({_SPECS})(["']\s*)""")
_KEYED_TABLE = re2.compile(rf"""(\s*["']?([\w.\-]+)["']?\s*=\s*\{{.*\bversion\s*=\s*["'])({_SPECS})(["'].*\}}\s*)""")
_PACKAGE = re2.compile(r"""(\s*"((?:@[\w.\-]+/)?[\w.\-]+)"\s*:\s*")([<>=^~v\d][\w.+\-<>=^~|* ]*)(",?\s*)""")
_NODE_VERSION = re2.compile(r"\d[\w.+\-*]*")
_MODULE = re2.compile(
    r"(\s*(?:require\s+)?[\w~\-]+\.[\w.~/\-]+\s+)(v\d+\.\d+\.\d+(?:[\-+][\w.+\-]*)?)(\s*(?:// indirect)?)"
)
_REVISION = re2.compile(
    r"""(\s*(?:-\s+)?rev:\s*["']?)([0-9a-f]{40}|(?:[A-Za-z][\w\-]*[\-_/@])?v?\d[\w.+\-]*)(["']?)\s*(?:#.*)?"""
)
_USES = re2.compile(r"""(\s*(?:-\s+)?uses:\s*["']?[\w.\-]+/[\w.\-/]+@)([\w./\-]+)(["']?)\s*(?:#.*)?""")
_COMMIT = re2.compile(r"[0-9a-fA-F]{40}")
_FROM = re2.compile(
    r"(?i)(\s*FROM\s+(?:--platform=\S+\s+)?[\w.\-]+(?::\d+/)?[\w.\-/]*)((?::[\w.\-]+)?(?:@sha256:[0-9a-f]{64})?)"
    r"((?:\s+AS\s+[\w.\-]+)?\s*)"
)
# Words that are no package's name where a manifest uses them for itself.
_OWN_WORDS = frozenset(
    ("version", "name", "edition", "rust-version", "resolver", "python", "requires-python", "target-version", "node")
) | frozenset(("python_version", "minversion", "requires-poetry", "npm", "yarn", "pnpm", "packageManager", "schema"))


def pin_form(kind: FileKind, line: str, *, added: bool) -> str | None:
    """Return the form of a line in a manifest of this kind, none when the line is more than a pin, or too long.

    An added action must be pinned to a commit's 40 hexadecimal digits, and an added image to a SHA-256 digest.
    """
    if not line or line.isspace():
        return NO_FORM
    if len(line) > _LONGEST_LINE:
        return None
    read = _FORMS.get(kind)
    return read(line, added) if read else None


def _requirement(line: str, _: bool) -> str | None:
    if _HASH_LINE.fullmatch(line):
        return HASH_FORM
    plain = _REQUIREMENT.fullmatch(line)
    if plain:
        return f"{_without_versions(plain[1])}{plain[2]}"
    hashed = _REQUIREMENT_HASHED.fullmatch(line)
    return f"{_without_versions(hashed[1])}{hashed[2]} {HASH_FORM}" if hashed else None


def _pyproject(line: str, added: bool) -> str | None:
    for pattern in (_QUOTED_REQUIREMENT, _REQUIREMENT_LIST):
        match = pattern.fullmatch(line)
        if match:
            return f"{match[1]}{_without_versions(match[2])}{match[3]}"
    return _keyed(line, added)


def _keyed(line: str, _: bool) -> str | None:
    match = _KEYED_SPEC.fullmatch(line) or _KEYED_TABLE.fullmatch(line)
    if not match or match[2] in _OWN_WORDS:
        return None
    return f"{match[1]}{_without_specs(match[3])}{match[4]}"


def _package(line: str, _: bool) -> str | None:
    match = _PACKAGE.fullmatch(line)
    if not match or match[2] in _OWN_WORDS:
        return None
    return f"{match[1]}{_NODE_VERSION.sub('*', match[3])}{match[4]}"


def _module(line: str, _: bool) -> str | None:
    match = _MODULE.fullmatch(line)
    return f"{match[1]}*{match[3]}" if match else None


def _revision(line: str, _: bool) -> str | None:
    match = _REVISION.fullmatch(line)
    return f"{match[1]}*{match[3]}" if match else None


def _action(line: str, added: bool) -> str | None:
    match = _USES.fullmatch(line)
    if not match or (added and not _COMMIT.fullmatch(match[2])):
        return None
    return f"{match[1]}*{match[3]}"


def _image(line: str, added: bool) -> str | None:
    match = _FROM.fullmatch(line)
    if not match or (added and "@sha256:" not in match[2]):
        return None
    return f"{match[1]}*{match[3]}"


def _without_versions(requirements: str) -> str:
    """Leave out each version that an operator compares with: a package's name may begin with a digit."""
    return str(_COMPARED_VERSION.sub(r"\1*", requirements))


def _without_specs(specs: str) -> str:
    return str(_LEADING_VERSION.sub(r"\1*", specs))


_FORMS: dict[FileKind, Callable[[str, bool], str | None]] = {
    FileKind.REQUIREMENTS: _requirement,
    FileKind.PYPROJECT: _pyproject,
    FileKind.CARGO_TOML: _keyed,
    FileKind.PACKAGE_JSON: _package,
    FileKind.GO_MOD: _module,
    FileKind.PRE_COMMIT: _revision,
    FileKind.WORKFLOW: _action,
    FileKind.ACTION: _action,
    FileKind.DOCKERFILE: _image,
}


def only_moves_pins(kind: FileKind, runs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> bool:
    """Say whether each run of changed lines holds the same pins before and after, in the same order.

    A digest may only change together with the version that it belongs to. More than ``MAX_CHANGED_LINES`` in all are
    no longer taken for pins.
    """
    left = MAX_CHANGED_LINES
    for removed, added in runs:
        left -= len(removed) + len(added)
        if left < 0 or not _moves_pins(kind, removed, added):
            return False
    return True


def _moves_pins(kind: FileKind, removed: Sequence[str], added: Sequence[str]) -> bool:
    before = [pin_form(kind, line, added=False) for line in removed]
    after = [pin_form(kind, line, added=True) for line in added]
    if None in before or None in after:
        return False
    old, new = (
        [(form, line) for form, line in zip(forms, lines, strict=True) if form not in {NO_FORM, HASH_FORM}]
        for forms, lines in ((before, removed), (after, added))
    )
    if [form for form, _ in old] != [form for form, _ in new]:
        return False
    if not old and (HASH_FORM in before or HASH_FORM in after):
        return False
    return not any(_keeps_version(was, now) for (_, was), (_, now) in zip(old, new, strict=True))


def _keeps_version(was: str, now: str) -> bool:
    """Say whether two lines with a digest name the same version."""
    return _HASH_OPTION in was and was.partition(_HASH_OPTION)[0].split() == now.partition(_HASH_OPTION)[0].split()
