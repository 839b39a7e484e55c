"""A lockfile's change is trivial as long as it fetches from nowhere new (review §8.2)."""

from dataclasses import replace

import pytest

from autoswe.rules.review.trivial.classifier import classify_trivial
from tests.support.review.changes import changed

A, B = "a" * 40, "b" * 40
INDEX = "https://pypi" + ".org/simple"
NPM = "https://registry" + ".npmjs.org"
PYPI = "https://files" + ".pythonhosted.org/packages"
YARN = "https://registry" + ".yarnpkg.com"
EVIL = "https://evil.example"


def judge(path: str, old: str | None, new: str | None) -> tuple[bool, bool]:
    """Judge a change by its patch alone, and with both sides read."""
    alone, whole = changed(path, old, new), changed(path, old, new, sides=True)
    return (
        classify_trivial([alone], sides_required=False).trivial,
        classify_trivial([whole], sides_required=True).trivial,
    )


SAME_SOURCES = {
    "uv.lock": [
        (
            f'name = "a"\nversion = "1"\nsource = {{ registry = "{INDEX}" }}\nurl = "{PYPI}/a-1.whl"',
            f'name = "a"\nversion = "2"\nsource = {{ registry = "{INDEX}" }}\nurl = "{PYPI}/a-2.whl"',
        ),
        (
            f'source = {{ git = "https://git.example/a?rev=1#{A}" }}',
            f'source = {{ git = "https://git.example/a?rev=2#{B}" }}',
        ),
        ('source = { editable = "." }\nversion = "1"', 'source = { editable = "." }\nversion = "2"'),
    ],
    "package-lock.json": [
        (
            f'"node_modules/a": {{\n"version": "1.0.0",\n"resolved": "{NPM}/a/-/a-1.0.0.tgz"',
            f'"node_modules/a": {{\n"version": "1.0.1",\n"resolved": "{NPM}/a/-/a-1.0.1.tgz"',
        ),
        (
            "{\n}",
            f'{{\n"node_modules/@s/b": {{\n"resolved": "{NPM}/@s/b/-/b-1.0.1.tgz",\n"integrity": "sha512-a//b==",\n'
            '"funding": {\n"type": "github",\n"url": "https://github.com/sponsors/x"\n}}}',
        ),
    ],
    "yarn.lock": [
        (
            f'a@^1:\n  version "1.0.0"\n  resolved "{YARN}/a/-/a-1.0.0.tgz#{A}"',
            f'a@^1:\n  version "1.0.1"\n  resolved "{YARN}/a/-/a-1.0.1.tgz#{B}"',
        ),
        ('"a@npm:^1":\n  resolution: "a@npm:1.0.0"', '"a@npm:^1":\n  resolution: "a@npm:1.0.1"'),
    ],
    "pnpm-lock.yaml": [
        ("a@1.0.0:\n  resolution: {integrity: sha512-x//y}", "a@1.0.1:\n  resolution: {integrity: sha512-z//y}")
    ],
    "Cargo.lock": [
        (
            'version = "1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"',
            'version = "2"\nsource = "registry+https://github.com/rust-lang/crates.io-index"',
        ),
    ],
    "Gemfile.lock": [
        ("GEM\n  remote: https://rubygems.org/\n  a (1.0)", "GEM\n  remote: https://rubygems.org/\n  a (1.1)")
    ],
    "go.sum": [("a.com/b v1.0.0 h1:x//y=", "a.com/b v1.0.0 h1:x//y=\na.com/b v1.0.1 h1://z=")],
    "composer.lock": [
        (
            f'"url": "https://api.github.com/repos/a/b/zipball/{A}"',
            f'"url": "https://api.github.com/repos/a/b/zipball/{B}"',
        ),
    ],
    "flake.lock": [(f'"owner": "NixOS",\n"rev": "{A}"', f'"owner": "NixOS",\n"rev": "{B}"')],
}
OTHER_SOURCES = {
    "uv.lock": [
        (f'source = {{ registry = "{INDEX}" }}', f'source = {{ registry = "{EVIL}/simple" }}'),
        (f'url = "{PYPI}/a-1.whl"', 'url = "https://evil.example/a-1.whl"'),
        (f'url = "{PYPI}/a-1.whl"', f'url = "{PYPI.replace(".org", ".org.evil.example")}/a-1.whl"'),
        (f'url = "{PYPI}/a-1.whl"', f'url = "{PYPI.replace("https", "http")}/a-1.whl"'),
        (f'source = {{ registry = "{INDEX}" }}', 'source = { path = "../evil" }'),
        (f'source = {{ registry = "{INDEX}" }}', 'source = { git = "https://github.com/evil/a" }'),
        (f'source = {{ git = "https://github.com/a/b#{A}" }}', f'source = {{ git = "https://github.com/evil/b#{A}" }}'),
    ],
    "package-lock.json": [
        (
            f'"node_modules/a": {{\n"resolved": "{NPM}/a/-/a-1.0.0.tgz"',
            f'"node_modules/a": {{\n"resolved": "{NPM}/evil/-/evil-1.0.0.tgz"',
        ),
        (f'"resolved": "{NPM}/a/-/a-1.0.0.tgz"', f'"resolved": "{EVIL}/a-1.0.0.tgz"'),
        (f'"resolved": "{NPM}/a/-/a-1.0.0.tgz"', '"resolved": "git+ssh://git@github.com/evil/a.git"'),
        (f'"resolved": "{NPM}/a/-/a-1.0.0.tgz"', '"resolved": "file:../a"'),
        ('"version": "1"', '"version": "2",\n"hasInstallScript": true'),
        ('"version": "1"', '"version": "npm:evil@1"'),
    ],
    "yarn.lock": [('"a@npm:^1":\n  resolution: "a@npm:1.0.0"', '"a@npm:^1":\n  resolution: "a@npm:evil@1.0.0"')],
    "Cargo.lock": [
        (
            'source = "registry+https://github.com/rust-lang/crates.io-index"',
            'source = "git+https://github.com/evil/a#1"',
        )
    ],
    "Gemfile.lock": [
        ("  remote: https://rubygems.org/", "  remote: https://evil.example/"),
        ("  a", "PATH\n  remote: evil\n  a"),
    ],
    "go.sum": [("a.com/b v1.0.0 h1:x=", "a.com/b v1.0.0 h1:y=")],
    "flake.lock": [('"owner": "NixOS"', '"owner": "evil"')],
}


@pytest.mark.parametrize(
    ("path", "old", "new"), [(path, *pair) for path, pairs in SAME_SOURCES.items() for pair in pairs]
)
def test_new_versions_from_known_sources_are_trivial(path: str, old: str, new: str) -> None:
    assert judge(path, old, new) == (True, True)


@pytest.mark.parametrize(
    ("path", "old", "new"), [(path, *pair) for path, pairs in OTHER_SOURCES.items() for pair in pairs]
)
def test_a_new_source_is_not_trivial(path: str, old: str, new: str) -> None:
    assert judge(path, old, new) == (False, False)


def test_a_source_that_the_base_names_anywhere_is_known() -> None:
    old = 'source = { git = "https://git.example/a" }\n' + "x = 1\n" * 20 + "y = 1\n"
    new = old + 'source = { git = "https://git.example/a" }\n'
    assert judge("uv.lock", old, new) == (False, True)


def test_a_lockfile_may_be_new_but_not_go_or_come_from_elsewhere() -> None:
    assert judge("uv.lock", None, f'source = {{ registry = "{INDEX}" }}') == (True, True)
    assert judge("uv.lock", "a", None) == (False, False)
    assert not classify_trivial([changed("uv.lock", "a", "b", previous_path="x.lock")], sides_required=False).trivial


def test_a_lockfile_whose_patch_is_missing_or_cut_is_not_trivial() -> None:
    file = changed("uv.lock", "a", "b")
    for unreadable in (replace(file, patch=None), replace(file, patch_truncated=True)):
        assert not classify_trivial([unreadable], sides_required=False).trivial
