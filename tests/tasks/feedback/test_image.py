"""The images of the fixer's containers hold what they need, no secret, and start without root (architecture §5)."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from autoswe.tasks.agent_clis.cli import COMMAND, CREDENTIAL, MODEL, Settings
from autoswe.tasks.feedback.agents import AGENTS, CLIS
from tests.tasks.containers import REPOSITORY
from tests.tasks.dockerfiles import Dockerfile

FOLDER = REPOSITORY / "functions/fixer_task"
CONTAINERS = ("agent", "collect", "gates")
SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL", "AWS_", "GITHUB")


DOCKERFILE = Dockerfile(FOLDER, "fixer")
INSTRUCTIONS = DOCKERFILE.instructions
STAGES = DOCKERFILE.stages
LAST_STAGE = DOCKERFILE.last_stage
words_of = DOCKERFILE.words_of


def test_every_stage_starts_from_a_pinned_image_or_from_an_earlier_stage() -> None:
    assert [(words[0], words[2]) for words in STAGES[: LAST_STAGE + 1]] == [
        ("python:3.13-slim-bookworm", "packages"),
        ("node:22-bookworm-slim", "clis"),
        ("python:3.13-slim-bookworm", "fixer"),
    ]
    assert {words[0] for words in STAGES[LAST_STAGE + 1 :]} == {"fixer"}


def test_there_is_an_image_for_each_agent_and_without_a_choice_the_one_without_a_model_is_built() -> None:
    assert {words[2] for words in STAGES[LAST_STAGE + 1 :]} == {*AGENTS, *CLIS}
    assert STAGES[-1][2] == "suggestions"


def test_an_agents_image_has_its_own_program_more_than_the_others_and_still_no_root() -> None:
    added = {
        words[2]: [(each.name, each.words) for each in INSTRUCTIONS if each.stage == number and each.name != "FROM"]
        for number, words in enumerate(STAGES)
        if number > LAST_STAGE
    }
    one_copy = {name: [("COPY", ("--from=clis", f"/images/{name}", "/"))] for name in ("copilot", "claude", "codex")}
    assert added == {**one_copy, "command": [], "suggestions": []}


def test_the_program_whose_commands_must_not_read_its_variables_may_be_run_but_not_read() -> None:
    [install] = words_of("RUN", 1)
    commands = " ".join(install).split(" && ")
    assert commands[-2:] == [
        "chmod --recursive a+rX,go-w /images",
        "chmod 0711 /images/codex/opt/codex/bin/codex",
    ]


def test_every_agent_and_where_its_credential_goes_is_in_the_read_me() -> None:
    rows = [row.split("|") for row in (FOLDER / "README.md").read_text().splitlines() if row.startswith("| `")]
    told = {row[1].strip().strip("`"): row[4].strip().split("`")[1:2] for row in rows}
    settings = Settings({CREDENTIAL: "secret", MODEL: "model-1", COMMAND: '["my-agent"]'})
    handed: dict[str, list[str]] = {name: [] for name in AGENTS}
    for name, cli in CLIS.items():
        with tempfile.TemporaryDirectory() as home:
            variables = cli.launch(settings, Path(home)).environment
        handed[name] = [variable for variable, value in variables.items() if value == "secret"]
    assert told == handed


def locked_clis() -> tuple[dict[str, Any], dict[str, Any]]:
    folder = FOLDER / "clis"
    return json.loads((folder / "package.json").read_text()), json.loads((folder / "package-lock.json").read_text())


def test_the_agents_programs_are_pinned_to_one_version_each() -> None:
    package, lock = locked_clis()
    assert set(package["dependencies"]) == {"@github/copilot", "@anthropic-ai/claude-code", "@openai/codex"}
    assert lock["packages"][""]["dependencies"] == package["dependencies"]
    for name, version in package["dependencies"].items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
        assert version.replace(".", "").isdigit()
        for platform in ("linux-arm64", "linux-x64"):
            assert f"node_modules/{name}-{platform}" in lock["packages"]


def test_every_locked_package_is_checked_by_hash_and_none_says_where_it_comes_from() -> None:
    _, lock = locked_clis()
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert not [name for name, entry in packages.items() if not entry.get("integrity", "").startswith("sha512-")]
    assert not [name for name, entry in packages.items() if "resolved" in entry or "://" in json.dumps(entry)]


def test_no_script_of_an_agents_package_runs_while_the_image_is_built() -> None:
    [install] = words_of("RUN", 1)
    assert install[:3] == ("npm", "ci", "--ignore-scripts")


def test_nothing_is_added_from_an_address() -> None:
    assert words_of("ADD") == []
    assert not any("://" in word for each in INSTRUCTIONS for word in each.words)


def test_no_variable_of_the_image_could_hold_a_secret() -> None:
    names = [word.partition("=")[0].upper() for words in (*words_of("ENV"), *words_of("ARG")) for word in words]
    assert names == ["AUTOSWE_SCRATCH"]
    assert not any(secret in name for name in names for secret in SECRET_WORDS)


def test_packages_are_installed_by_hash_alone() -> None:
    [install] = [words for words in words_of("RUN") if "--requirement" in words]
    assert {"--require-hashes", "--only-binary=:all:"} <= set(install)


def test_the_image_starts_as_an_ordinary_user_who_owns_the_scratch_volume() -> None:
    [user] = words_of("USER", LAST_STAGE)
    assert user == ("10001:10001",)
    assert words_of("VOLUME", LAST_STAGE) == [("/scratch",)]
    assert words_of("ENV", LAST_STAGE) == [("AUTOSWE_SCRATCH=/scratch",)]
    [make] = [words for words in words_of("RUN", LAST_STAGE) if "/scratch" in words]
    assert {"--owner=fixer", "--group=fixer"} <= set(make)


def test_everything_that_is_copied_exists() -> None:
    missing = [source for sources, _ in DOCKERFILE.copies() for source in sources if not (REPOSITORY / source).exists()]
    assert missing == []


def test_the_start_command_and_every_row_of_the_read_me_name_an_entry_point() -> None:
    [start] = words_of("CMD", LAST_STAGE)
    assert words_of("ENTRYPOINT", LAST_STAGE) == [("/opt/packages/bin/python", "-m")]
    rows = [
        row.split("|") for row in (FOLDER / "README.md").read_text().splitlines() if "`functions.fixer_task." in row
    ]
    commands = {row[1].strip(): row[2].strip().strip("`") for row in rows}
    assert commands == {name: f"functions.fixer_task.{name}" for name in CONTAINERS}
    assert start[0] in commands.values()
    assert all((FOLDER / f"{name}.py").is_file() for name in CONTAINERS)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("image")
    DOCKERFILE.lay_out(root)
    return root


def test_what_is_copied_is_enough_to_run_the_containers(image: Path) -> None:
    """The image's own copy of the package comes first on the path, so a module that was not copied is missing."""
    modules = ", ".join(f"functions.fixer_task.{name}" for name in CONTAINERS)
    script = f"import {modules}, autoswe; print(autoswe.__file__)"
    ended = subprocess.run([sys.executable, "-c", script], cwd=image, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == str(image / "autoswe/__init__.py"), ended.stderr
