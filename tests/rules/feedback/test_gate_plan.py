"""Which gates a repository has (feedback §3)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.gate_plan import MANIFESTS, DetectedGates, detect_gates


def test_a_repository_without_manifests_has_no_gates() -> None:
    assert detect_gates({}) == DetectedGates()


def test_a_makefiles_own_targets_are_the_gates() -> None:
    makefile = b".PHONY: lint\nlint test: deps\n\ttrue\ntypes:\n\ttrue\ntest:\n\ttrue\nX := y\n"
    found = detect_gates({"Makefile": makefile, "package.json": b'{"scripts": {"test": "x"}}'})
    assert found == DetectedGates(typecheck=("make", "types"), tests=("make", "test"))


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        (b"lint:\n", DetectedGates(lint=("make", "lint"))),
        (b"typecheck:\ntypes:\n", DetectedGates(typecheck=("make", "typecheck"))),
        (b"tests:\n", DetectedGates(tests=("make", "tests"))),
        (b"tests:\ntest:\n", DetectedGates(tests=("make", "test"))),
    ],
)
def test_each_gate_is_the_first_target_of_its_names(targets: bytes, found: DetectedGates) -> None:
    assert detect_gates({"Makefile": targets}) == found


def test_a_variable_in_a_makefile_is_no_target() -> None:
    assert detect_gates({"Makefile": b"test := 1\nlint ::= 2\n"}).tests is None


def test_npm_scripts_are_the_gates_of_a_package_after_a_clean_install() -> None:
    package = {"scripts": {"lint": "eslint .", "test": "vitest", "types": 3}}
    found = detect_gates({"package.json": json.dumps(package).encode()})
    assert found == DetectedGates(setup=(("npm", "ci"),), lint=("npm", "run", "lint"), tests=("npm", "run", "test"))


@pytest.mark.parametrize(
    ("manifest", "content"),
    [("package.json", b"[" * 100_000), ("pyproject.toml", b"a = " + b"[" * 100_000), ("package.json", b"{")],
)
def test_a_manifest_that_cannot_be_read_names_no_gate(manifest: str, content: bytes) -> None:
    assert detect_gates({manifest: content}) == DetectedGates()


@pytest.mark.parametrize(
    ("scripts", "script"), [(["types"], "types"), (["typecheck"], "typecheck"), (["types", "typecheck"], "typecheck")]
)
def test_a_packages_type_check_goes_by_two_names(scripts: list[str], script: str) -> None:
    found = detect_gates({"package.json": json.dumps({"scripts": dict.fromkeys(scripts, "tsc")}).encode()})
    assert found == DetectedGates(setup=(("npm", "ci"),), typecheck=("npm", "run", script))


@pytest.mark.parametrize(
    ("table", "found"),
    [
        (b"[tool.ruff]", DetectedGates(lint=("python3", "-m", "ruff", "check", "."))),
        (b"[tool.mypy]", DetectedGates(typecheck=("python3", "-m", "mypy"))),
        (b"[tool.pytest.ini_options]", DetectedGates(tests=("python3", "-m", "pytest"))),
        (b"[tool.black]", DetectedGates()),
    ],
)
def test_a_python_projects_configured_tools_are_the_gates(table: bytes, found: DetectedGates) -> None:
    assert detect_gates({"pyproject.toml": table}) == found


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"scripts": []}', b"[tool", b"tool = 1", b"tool = []"])
def test_a_manifest_that_does_not_parse_offers_no_gates(content: bytes) -> None:
    assert detect_gates({"package.json": content}).tests is None
    assert detect_gates({"pyproject.toml": content}).tests is None


@given(st.dictionaries(st.sampled_from(MANIFESTS), st.binary(max_size=200)))
def test_no_manifest_whatever_makes_detection_fail(manifests: dict[str, bytes]) -> None:
    detect_gates(manifests)
