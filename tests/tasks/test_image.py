"""The image of the fixer's containers holds what they need, no secret, and starts without root (architecture §5)."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tasks.containers import REPOSITORY

FOLDER = REPOSITORY / "functions/fixer_task"
CONTAINERS = ("agent", "collect", "gates")
SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL", "AWS_", "GITHUB")


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile, and the number of the stage it belongs to."""

    stage: int
    name: str
    words: tuple[str, ...]


def read_dockerfile() -> Iterator[Instruction]:
    stage = -1
    lines = (line for line in (FOLDER / "Dockerfile").read_text().splitlines() if not line.startswith("#"))
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, rest = line.split(maxsplit=1)
            stage += name == "FROM"
            yield Instruction(stage, name, tuple(shlex.split(rest.strip("[]").replace('",', '" '))))


INSTRUCTIONS = tuple(read_dockerfile())
LAST_STAGE = INSTRUCTIONS[-1].stage


def words_of(name: str, stage: int | None = None) -> list[tuple[str, ...]]:
    return [each.words for each in INSTRUCTIONS if each.name == name and stage in {None, each.stage}]


def copies() -> list[tuple[list[str], str]]:
    """List what is copied from the repository: the sources, and where they go."""
    return [(list(words[:-1]), words[-1]) for words in words_of("COPY") if not words[0].startswith("--from=")]


def test_every_stage_starts_from_the_same_pinned_image() -> None:
    assert {words[0] for words in words_of("FROM")} == {"python:3.13-slim-bookworm"}


def test_nothing_is_added_from_an_address() -> None:
    assert words_of("ADD") == []
    assert not any("://" in word for each in INSTRUCTIONS for word in each.words)


def test_no_variable_of_the_image_could_hold_a_secret() -> None:
    names = [word.partition("=")[0].upper() for words in (*words_of("ENV"), *words_of("ARG")) for word in words]
    assert names == ["AUTOSWE_SCRATCH"]
    assert not any(secret in name for name in names for secret in SECRET_WORDS)


def test_packages_are_installed_by_hash_alone() -> None:
    [install] = [words for words in words_of("RUN") if "install" in words and "--requirement" in words]
    assert {"--require-hashes", "--only-binary=:all:"} <= set(install)


def test_the_image_starts_as_an_ordinary_user_who_owns_the_scratch_volume() -> None:
    [user] = words_of("USER", LAST_STAGE)
    assert user == ("10001:10001",)
    assert words_of("VOLUME", LAST_STAGE) == [("/scratch",)]
    assert words_of("ENV", LAST_STAGE) == [("AUTOSWE_SCRATCH=/scratch",)]
    [make] = [words for words in words_of("RUN", LAST_STAGE) if "/scratch" in words]
    assert {"--owner=fixer", "--group=fixer"} <= set(make)


def test_everything_that_is_copied_exists() -> None:
    missing = [source for sources, _ in copies() for source in sources if not (REPOSITORY / source).exists()]
    assert missing == []


def test_the_start_command_and_every_row_of_the_read_me_name_an_entry_point() -> None:
    [start] = words_of("CMD", LAST_STAGE)
    assert words_of("ENTRYPOINT", LAST_STAGE) == [("/opt/packages/bin/python", "-m")]
    rows = [row.split("|") for row in (FOLDER / "README.md").read_text().splitlines() if row.startswith("| ")]
    commands = {row[1].strip(): row[2].strip().strip("`") for row in rows[1:]}
    assert commands == {name: f"functions.fixer_task.{name}" for name in CONTAINERS}
    assert start[0] in commands.values()
    assert all((FOLDER / f"{name}.py").is_file() for name in CONTAINERS)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay out the working folder of the image from the Dockerfile's COPY instructions."""
    [folder] = words_of("WORKDIR", LAST_STAGE)
    root = tmp_path_factory.mktemp("image")
    for sources, target in copies():
        if not target.startswith(folder[0] + "/"):
            continue
        place = root / target.removeprefix(folder[0] + "/")
        for source in (REPOSITORY / each for each in sources):
            if source.is_dir():
                shutil.copytree(source, place)
            else:
                file = place / source.name if target.endswith("/") else place
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, file)
    return root


def test_what_is_copied_is_enough_to_run_the_containers(image: Path) -> None:
    """The image's own copy of the package comes first on the path, so a module that was not copied is missing."""
    modules = ", ".join(f"functions.fixer_task.{name}" for name in CONTAINERS)
    script = f"import {modules}, autoswe; print(autoswe.__file__)"
    ended = subprocess.run([sys.executable, "-c", script], cwd=image, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == str(image / "autoswe/__init__.py"), ended.stderr
