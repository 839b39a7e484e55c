"""One word leads to a capability in every layer (README: the map of the house)."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT

PACKAGE = ROOT / "layers/core/python/autoswe"
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
CAPABILITIES = {"intake", "feedback", "review"}
LAYERS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
JOINING = {
    *("cli.app", "cli.records", "cli.settings", "github.hosts"),
    *("runtime.github", "runtime.operator", "runtime.wiring"),
}
"""What puts capabilities together, or serves a person who asks about all of them."""

MOST_FILES = 20


def _shared() -> set[str]:
    [contract] = [one for one in CONTRACTS if one["name"] == "What capabilities share knows none of them"]
    return {name.removeprefix("autoswe.") for name in contract["source_modules"]}


def _rooms(layer: str) -> set[str]:
    """Name the modules and folders of a layer."""
    entries = [path for path in (PACKAGE / layer).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {path.stem for path in entries if path.stem != "__init__"}


@pytest.mark.parametrize("layer", LAYERS)
def test_whatever_stands_in_a_layer_is_a_capability_or_named_as_shared_or_joins_them(layer: str) -> None:
    known = {name.removeprefix(f"{layer}.") for name in _shared() | JOINING if name.startswith(f"{layer}.")}
    assert layer in _shared() or _rooms(layer) <= CAPABILITIES | known


@pytest.mark.parametrize("name", sorted(_shared() | JOINING))
def test_what_is_named_as_shared_or_joining_exists(name: str) -> None:
    place = PACKAGE.joinpath(*name.split("."))
    assert place.with_suffix(".py").exists() or (place / "__init__.py").exists()


@pytest.mark.parametrize("capability", sorted(CAPABILITIES))
def test_a_wall_stands_between_a_capability_and_each_other_one(capability: str) -> None:
    [wall] = [one for one in CONTRACTS if f"autoswe.*.{capability}" in one.get("source_modules", ())]
    assert {f"autoswe.*.{other}" for other in CAPABILITIES - {capability}} <= set(wall["forbidden_modules"])


@pytest.mark.parametrize("capability", sorted(CAPABILITIES))
@pytest.mark.parametrize("layer", ["rules", "contracts", "ports", "steps", "dynamodb", "runtime", "cli"])
def test_a_capability_is_found_by_its_word_in_every_layer_and_in_its_tests(capability: str, layer: str) -> None:
    assert capability in _rooms(layer)
    folders = [path for path in (ROOT / "tests").rglob(capability) if path.is_dir()]
    mirrored = {path.relative_to(ROOT / "tests").parts[0] for path in folders}
    assert mirrored >= {"rules", "steps", "adapters", "runtime", "scenarios", "support"}


def test_no_folder_of_product_code_holds_more_files_than_one_looks_through() -> None:
    code = [*PACKAGE.rglob("*.py"), *(ROOT / "infra").rglob("*.py")]
    counted = Counter(path.parent for path in code if path.stem != "__init__")
    assert {str(Path(folder).relative_to(ROOT)): count for folder, count in counted.items() if count > MOST_FILES} == {}
