"""A change is trivial when every file's change is documentation, a lockfile's or a pin's, and nothing else rides along.

See review §8.2.
"""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autoswe.rules.review.diff.changed_files import EXECUTABLE, LINK, REGULAR, SUBMODULE, ChangedFile
from autoswe.rules.review.diff.file_kinds import DOCUMENT_KINDS, file_kind
from autoswe.rules.review.trivial.classifier import Classification, classify_trivial
from tests.support.review.changes import added_to, changed

A, B = "a" * 40, "b" * 40
DIGEST_A, DIGEST_B = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"
WORKFLOW = ".github/workflows/ci.yml"


def is_trivial(*files: ChangedFile, live: bool = False) -> bool:
    return classify_trivial(files, sides_required=live).trivial


def judge(path: str, old: str, new: str) -> tuple[bool, bool]:
    """Judge a change by its patch alone, and with both sides read."""
    return is_trivial(changed(path, old, new)), is_trivial(changed(path, old, new, sides=True), live=True)


PINS = {
    "requirements.txt": [
        ("a==1\nrequests==2.31.0\nb==1", "a==1\nrequests==2.32.0\nb==1"),
        ("requests[socks]>=2,<3 ; python_version < '3.12'", "requests[socks]>=2.1,<4 ; python_version < '3.12'"),
        (f"a==1 \\\n    --hash={DIGEST_A}", f"a==2 \\\n    --hash={DIGEST_B} \\\n    --hash={DIGEST_A}"),
        (f"a==1 --hash={DIGEST_A}", f"a==2 --hash={DIGEST_B}"),
        ("a==1\nb==1", "a==2\nb==3"),
    ],
    "requirements-dev.in": [("ruff~=0.1", "ruff~=0.2")],
    "pyproject.toml": [
        ('[project]\ndependencies = [\n  "a>=1",\n]', '[project]\ndependencies = [\n  "a>=2",\n]'),
        (
            '[build-system]\nrequires = ["hatchling==1.2", "b>=1"]',
            '[build-system]\nrequires = ["hatchling==1.3", "b>=2"]',
        ),
        ('[tool.poetry.dependencies]\na = "^1.2"', '[tool.poetry.dependencies]\na = "^1.3"'),
        (
            '[tool.poetry.dependencies]\na = {version = "^1.2", extras = ["x"]}',
            '[tool.poetry.dependencies]\na = {version = "^1.3", extras = ["x"]}',
        ),
        ('[dependency-groups]\ndev = [\n  "a==1",\n]', '[dependency-groups]\ndev = [\n  "a==2",\n]'),
    ],
    "Cargo.toml": [
        ('[dependencies]\nserde = "1.0.1"', '[dependencies]\nserde = "1.0.2"'),
        (
            '[dev-dependencies]\nserde = { version = "1.0", features = ["derive"] }',
            '[dev-dependencies]\nserde = { version = "1.1", features = ["derive"] }',
        ),
    ],
    "package.json": [
        ('{"devDependencies": {\n  "@a/b": "^1.2.3"\n}}', '{"devDependencies": {\n  "@a/b": "^2.0.0"\n}}'),
        ('{"dependencies": {\n  "a": "1.x",\n  "b": "1"\n}}', '{"dependencies": {\n  "a": "2.x",\n  "b": "1"\n}}'),
    ],
    "go.mod": [
        (
            "module x\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgolang.org/x/y v0.1.0 // indirect\n)",
            "module x\n\nrequire (\n\tgithub.com/a/b v1.2.4\n\tgolang.org/x/y v0.2.0 // indirect\n)",
        ),
        ("module x\n\nrequire github.com/a/b v1.2.3", "module x\n\nrequire github.com/a/b v1.3.0"),
    ],
    ".pre-commit-config.yaml": [
        (
            "repos:\n  - repo: https://a\n    rev: v1.2.3\n    hooks: []",
            "repos:\n  - repo: https://a\n    rev: v1.2.4\n    hooks: []",
        ),
        (
            "repos:\n  - repo: https://a\n    rev: v1.2.3",
            f"repos:\n  - repo: https://a\n    rev: {A}  # frozen: v1.2.4",
        ),
    ],
    WORKFLOW: [
        (
            f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A} # v1",
            f"jobs:\n  a:\n    steps:\n      - uses: a/b@{B} # v2",
        ),
        (
            f"jobs:\n  a:\n    uses: a/b/.github/workflows/x.yml@{A}",
            f"jobs:\n  a:\n    uses: a/b/.github/workflows/x.yml@{B}",
        ),
        ("jobs:\n  a:\n    steps:\n      - uses: a/b@v1", f"jobs:\n  a:\n    steps:\n      - uses: a/b@{B} # v1.2"),
    ],
    "action.yml": [(f"runs:\n  steps:\n    - uses: a/b@{A}", f"runs:\n  steps:\n    - uses: a/b@{B}")],
    "Dockerfile": [
        (f"FROM python:3.12@{DIGEST_A} AS x\nRUN y", f"FROM python:3.13@{DIGEST_B} AS x\nRUN y"),
        ("FROM --platform=linux/amd64 ghcr.io/a/b:1", f"FROM --platform=linux/amd64 ghcr.io/a/b:2@{DIGEST_A}"),
    ],
}

NO_PINS = {
    "requirements.txt": [
        ("a==1", "b==1"),
        ("a==1", "a==1\nevil==1"),
        ("a==1", "a @ https://example.com/a.whl"),
        ("a==1", "a==1 --index-url https://example.com"),
        ("a==1", "--index-url https://example.com\na==2"),
        ("a==1", "-r other.txt"),
        ("a==1", "-e ."),
        ("a==1", "./a==1"),
        ("a==1", "a[extra]==1"),
        ("a==1", "a>=1"),
        ("a==1", "a"),
        ("a==1 ; python_version < '3'", "a==1"),
        ("2captcha==1", "3evil==1"),
        (f"a==1 --hash={DIGEST_A}", f"a==1 --hash={DIGEST_B}".replace("==1", "==1 ")),
        (f"a==1 \\\n    --hash={DIGEST_A}", f"a==1 \\\n    --hash={DIGEST_B}"),
        ("# note\na==1", "# other note\na==1"),
        ("a==1", "a==1\\\n--pre"),
    ],
    "pyproject.toml": [
        ('[project]\ndependencies = [\n  "a>=1",\n]', '[project]\ndependencies = [\n  "b>=1",\n]'),
        ('[project]\ndependencies = [\n  "a>=1",\n]', '[project]\ndependencies = [\n  "a>=1",\n  "b>=1",\n]'),
        ('[project]\ndependencies = [\n  "a>=1",\n]', '[project]\ndependencies = [\n  "a @ git+https://x",\n]'),
        ('[project]\nversion = "1.2"', '[project]\nversion = "1.3"'),
        ('[project]\nrequires-python = ">=3.8"', '[project]\nrequires-python = ">=3.9"'),
        ('[project.scripts]\na = "x:main"', '[project.scripts]\na = "y:main"'),
        ('[tool.poetry.dependencies]\na = {version = "1"}', '[tool.poetry.dependencies]\na = {git = "https://x"}'),
        ("[tool.x]\nline-length = 100", "[tool.x]\nline-length = 120"),
        ('[[tool.uv.index]]\nurl = "https://a"', '[[tool.uv.index]]\nurl = "https://b"'),
    ],
    "Cargo.toml": [
        ('[dependencies]\na = "1"', '[dependencies]\nb = "1"'),
        ('[dependencies]\na = { version = "1" }', '[dependencies]\na = { version = "1", registry = "x" }'),
        ('[package]\nedition = "2018"', '[package]\nedition = "2021"'),
    ],
    "package.json": [
        ('{"dependencies": {\n  "a": "1"\n}}', '{"dependencies": {\n  "a": "npm:evil@1"\n}}'),
        ('{"dependencies": {\n  "a": "1"\n}}', '{"dependencies": {\n  "b": "1"\n}}'),
        ('{"dependencies": {\n  "a": "1"\n}}', '{"dependencies": {\n  "a": "file:../x"\n}}'),
        ('{"dependencies": {\n  "a": "1"\n}}', '{"dependencies": {\n  "a": "o/r"\n}}'),
        ('{"scripts": {\n  "postinstall": "a"\n}}', '{"scripts": {\n  "postinstall": "b"\n}}'),
        ('{\n  "version": "1.0.0"\n}', '{\n  "version": "1.0.1"\n}'),
    ],
    "go.mod": [
        ("require a.com/b v1.0.0", "require a.com/c v1.0.0"),
        ("require a.com/b v1.0.0", "require a.com/b v1.0.0\nreplace a.com/b => ../b"),
        ("go 1.21", "go 1.22"),
        ("replace a.com/b => c.com/d v1.0.0", "replace a.com/b => c.com/d v1.0.1"),
    ],
    ".pre-commit-config.yaml": [
        ("repos:\n  - repo: https://a\n    rev: v1", "repos:\n  - repo: https://b\n    rev: v1"),
        ("repos:\n  - repo: https://a\n    rev: v1", "repos:\n  - repo: https://a\n    rev: main"),
        ("repos:\n- hooks:\n  - id: a", "repos:\n- hooks:\n  - id: b"),
    ],
    WORKFLOW: [
        (f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}", f"jobs:\n  a:\n    steps:\n      - uses: a/c@{A}"),
        (f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}", "jobs:\n  a:\n    steps:\n      - uses: a/b@v2"),
        (
            f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}",
            f"jobs:\n  a:\n    steps:\n      - uses: a/b@{B}\n      - run: x",
        ),
        (f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}", "jobs:\n  a:\n    steps:\n      - uses: ./b"),
        (
            f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}\n      - uses: c/d@{A}",
            f"jobs:\n  a:\n    steps:\n      - uses: c/d@{A}\n      - uses: a/b@{A}",
        ),
        ("name: a", "name: b"),
        ("name: a # x", "name: a # y"),
    ],
    "Dockerfile": [
        (f"FROM python:3@{DIGEST_A}", f"FROM evil:3@{DIGEST_A}"),
        (f"FROM a/python:3@{DIGEST_A}", f"FROM b/python:3@{DIGEST_A}"),
        (f"FROM python:3@{DIGEST_A}", "FROM python:4"),
        (f"FROM python:3@{DIGEST_A}", f"FROM python:3@{DIGEST_B} AS x"),
        ("RUN a", "RUN b"),
    ],
}


@pytest.mark.parametrize(("path", "old", "new"), [(path, *pin) for path, pins in PINS.items() for pin in pins])
def test_a_manifest_whose_every_changed_line_moves_a_pin_is_trivial(path: str, old: str, new: str) -> None:
    assert judge(path, old, new) == (True, True)


@pytest.mark.parametrize(("path", "old", "new"), [(path, *pin) for path, pins in NO_PINS.items() for pin in pins])
def test_a_manifest_where_anything_else_rides_along_is_not_trivial(path: str, old: str, new: str) -> None:
    assert judge(path, old, new) == (False, False)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("package.json", '{"engines": {\n  "foo": "18.1"\n}}', '{"engines": {\n  "foo": "20.1"\n}}'),
        ("pyproject.toml", '[tool.mypy]\nfoo = "3.9"', '[tool.mypy]\nfoo = "3.10"'),
        ("Cargo.toml", '[package.metadata]\nfoo = "1"', '[package.metadata]\nfoo = "2"'),
        ("go.mod", "exclude (\n\ta.com/b v1.0.0\n)", "exclude (\n\ta.com/b v1.0.1\n)"),
        ("pyproject.toml", 'x = """\na = "1"\n"""', 'x = """\na = "2"\n"""'),
        (WORKFLOW, f"jobs:\n  a:\n    run: |\n      uses: a/b@{A}", f"jobs:\n  a:\n    run: |\n      uses: a/b@{B}"),
    ],
)
def test_a_version_that_is_no_dependencys_is_seen_where_both_sides_are_read(path: str, old: str, new: str) -> None:
    assert judge(path, old, new)[1] is False


def test_a_pin_that_moves_to_another_place_is_no_pin() -> None:
    old = f"jobs:\n  a:\n    steps:\n      - uses: a/b@{A}\n      - run: x\n  b:\n    steps:\n      - run: y"
    new = f"jobs:\n  a:\n    steps:\n      - run: x\n  b:\n    steps:\n      - uses: a/b@{B}\n      - run: y"
    assert judge(WORKFLOW, old, new) == (False, False)


@pytest.mark.parametrize("path", ["README.md", "docs/a.rst", "LICENSE", "NOTICE.txt"])
def test_documentation_is_trivial_whatever_its_patch(path: str) -> None:
    file = added_to(path, "anything", under="before")
    assert is_trivial(file)
    assert is_trivial(replace(file, patch_truncated=True))
    assert is_trivial(replace(file, patch=None))
    assert is_trivial(changed(path, "a", None))
    assert is_trivial(changed(path, "a", "b", sides=True), live=True)


def test_an_image_under_docs_is_trivial_and_a_drawing_with_a_script_is_not() -> None:
    image = ChangedFile("docs/a.png", "modified", 0, 0, None)
    assert is_trivial(image)
    assert is_trivial(added_to("docs/a.svg", "<svg><path d='M0 0'/></svg>"))
    assert not is_trivial(added_to("docs/a.svg", "<svg><script>alert(1)</script></svg>"))
    assert not is_trivial(replace(image, path="docs/a.svg"))
    assert not is_trivial(replace(image, path="a.png"))


@pytest.mark.parametrize("path", ["a.txt", "a.py", "Makefile", "CODEOWNERS", "AGENTS.md", "prompts/x.md", ".gitignore"])
def test_every_other_file_is_not_trivial_not_even_its_comments(path: str) -> None:
    assert judge(path, "# a", "# b") == (False, False)


def test_all_files_must_be_trivial_and_the_others_are_named() -> None:
    files = [changed("README.md", "a", "b"), changed("x.py", "a", "b"), changed("y.py", "a", "b")]
    assert classify_trivial(files, sides_required=False) == Classification(False, ("x.py", "y.py"))
    assert classify_trivial(files[:1], sides_required=False) == Classification(True, ())


def test_no_files_are_no_trivial_change() -> None:
    assert classify_trivial([], sides_required=False) == Classification(False, ())


@pytest.mark.parametrize("modes", [(REGULAR, EXECUTABLE), (REGULAR, LINK), (LINK, LINK), (SUBMODULE, SUBMODULE)])
@pytest.mark.parametrize("path", ["README.md", "uv.lock"])
def test_a_file_that_is_not_regular_or_changes_its_mode_is_not_trivial(path: str, modes: tuple[str, str]) -> None:
    assert not is_trivial(changed(path, "a", "b", sides=True, modes=modes))


def test_a_new_document_that_can_be_run_is_not_trivial() -> None:
    assert not is_trivial(changed("a.md", None, "x", sides=True, modes=(REGULAR, EXECUTABLE)))


def test_a_document_that_changed_in_nothing_the_host_shows_is_not_trivial() -> None:
    assert not is_trivial(ChangedFile("a.md", "modified", 0, 0, None))
    assert not is_trivial(ChangedFile("a.md", "changed", 0, 0, None))


def test_a_document_that_is_only_renamed_is_trivial() -> None:
    assert is_trivial(ChangedFile("b.md", "renamed", 0, 0, None, previous_path="a.md"))


def test_a_live_run_must_know_both_sides() -> None:
    for path, old, new in [("README.md", "a", "b"), ("uv.lock", "a", "b"), ("requirements.txt", "a==1", "a==2")]:
        file = changed(path, old, new, sides=True)
        assert is_trivial(file, live=True)
        assert not is_trivial(replace(file, base=None), live=True)
        assert not is_trivial(replace(file, head=None), live=True)


@given(
    st.sampled_from(["a.py", "Makefile", "x.sh", "AGENTS.md", "a.txt", "CODEOWNERS", WORKFLOW, "action.yml"]),
    st.sampled_from(["a.md", "docs/a.png", "LICENSE", "docs/a.svg", "x/README.rst"]),
    st.sampled_from(["renamed", "copied"]),
    st.booleans(),
    st.booleans(),
)
def test_renaming_a_code_file_to_a_document_never_makes_it_trivial(
    before: str, after: str, status: str, with_patch: bool, other_way: bool
) -> None:
    previous, path = (after, before) if other_way else (before, after)
    assume(file_kind(before) not in DOCUMENT_KINDS)
    file = changed(path, "a: 1", "a: 2", previous_path=previous, sides=True)
    assert not is_trivial(replace(file, status=status, patch=file.patch if with_patch else None))
