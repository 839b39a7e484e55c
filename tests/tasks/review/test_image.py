"""The images of the review container hold what they need, no secret, and start without root (architecture §5)."""

import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from autoswe.tasks.agent_clis.cli import COMMAND, CREDENTIAL, MODEL, Settings
from autoswe.tasks.review.clis import REVIEW_CLIS
from autoswe.tasks.review.rules_reviewer import NAME
from tests.tasks.containers import REPOSITORY
from tests.tasks.dockerfiles import Dockerfile

FOLDER = REPOSITORY / "functions/review_task"
OURS = Dockerfile(FOLDER, "reviewer")
FIXERS = Dockerfile(REPOSITORY / "functions/fixer_task", "fixer")
PACKAGES, CLIS = 0, 1


def in_stage(dockerfile: Dockerfile, stage: int) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.name, each.words) for each in dockerfile.instructions if each.stage == stage]


def test_packages_and_programs_are_installed_as_the_fixers_are() -> None:
    """So what is promised of those stages (the fixer's tests) holds here: by hash, from one lock, without scripts."""
    assert in_stage(OURS, CLIS) == in_stage(FIXERS, CLIS)
    renamed = [
        (name, tuple(word.replace("fixer_task", "review_task") for word in words))
        for name, words in in_stage(FIXERS, PACKAGES)
    ]
    assert in_stage(OURS, PACKAGES) == renamed


def test_every_package_is_locked_by_hash_and_to_the_version_that_the_tests_run_with() -> None:
    ours, checked = (
        [line.strip(" \\") for line in path.read_text().splitlines()]
        for path in (FOLDER / "requirements.txt", REPOSITORY / "tests/requirements.txt")
    )
    assert set(ours) <= set(checked)
    for line, next_line in pairwise(ours):
        assert line.startswith("--hash=sha256:") or next_line.startswith("--hash=sha256:")


def test_there_is_an_image_for_each_reviewer_and_without_a_choice_the_one_without_a_model_is_built() -> None:
    images = OURS.stages[OURS.last_stage + 1 :]
    assert {words[0] for words in images} == {"reviewer"}
    assert {words[2] for words in images} == {NAME, *REVIEW_CLIS}
    assert images[-1][2] == NAME


def test_a_reviewers_image_has_its_own_program_more_than_the_others_and_still_no_root() -> None:
    added = {
        words[2]: in_stage(OURS, number)[1:] for number, words in enumerate(OURS.stages) if number > OURS.last_stage
    }
    one_copy = {name: [("COPY", ("--from=clis", f"/images/{name}", "/"))] for name in ("copilot", "claude", "codex")}
    assert added == {**one_copy, "command": [], NAME: []}


def test_nothing_is_added_from_an_address_and_no_variable_could_hold_a_secret() -> None:
    assert OURS.words_of("ADD") == []
    assert not any("://" in word for each in OURS.instructions for word in each.words)
    assert [*OURS.words_of("ENV"), *OURS.words_of("ARG")] == [("AUTOSWE_SCRATCH=/scratch",)]


def test_the_image_starts_as_an_ordinary_user_who_owns_the_scratch_volume() -> None:
    stage = OURS.last_stage
    assert OURS.words_of("USER", stage) == [("10001:10001",)]
    assert OURS.words_of("VOLUME", stage) == [("/scratch",)]
    [make] = [words for words in OURS.words_of("RUN", stage) if "/scratch" in words]
    assert {"--owner=reviewer", "--group=reviewer"} <= set(make)
    names = [each.name for each in OURS.instructions if each.stage == stage]
    assert names.index("USER") > max(place for place, name in enumerate(names) if name in {"RUN", "COPY"})


def test_the_one_program_that_a_session_may_read_with_and_that_the_base_lacks_is_installed() -> None:
    [install] = [words for words in OURS.words_of("RUN", OURS.last_stage) if "apt-get" in words]
    assert install[install.index("install") :][:4] == ("install", "--yes", "--no-install-recommends", "jq")
    assert "/var/lib/apt/lists/*" in install


def test_the_start_command_is_the_entry_point_that_the_read_me_names() -> None:
    assert OURS.words_of("ENTRYPOINT") == [("/opt/packages/bin/python", "-m")]
    [start] = OURS.words_of("CMD")
    assert start == ("functions.review_task.review",)
    assert f"| review | `{start[0]}` | 10001 |" in (FOLDER / "README.md").read_text()


def test_every_reviewer_and_where_its_credential_goes_is_in_the_read_me() -> None:
    rows = [row.split("|") for row in (FOLDER / "README.md").read_text().splitlines() if row.startswith("| `")]
    told = {row[1].strip().strip("`"): row[4].strip().split("`")[1:2] for row in rows}
    settings = Settings({CREDENTIAL: "secret", MODEL: "model-1", COMMAND: '["my-agent"]'})
    handed: dict[str, list[str]] = {NAME: []}
    for name, reviewer in REVIEW_CLIS.items():
        with tempfile.TemporaryDirectory() as home:
            variables = reviewer.cli.launch(settings, Path(home)).environment
        handed[name] = [variable for variable, value in variables.items() if value == "secret"]
    assert told == handed


def test_what_is_copied_exists_and_is_enough_to_run_the_container(tmp_path: Path) -> None:
    """The image's own copy of the package comes first on the path, so a module that was not copied is missing."""
    assert not [source for sources, _ in OURS.copies() for source in sources if not (REPOSITORY / source).exists()]
    OURS.lay_out(tmp_path)
    script = "import functions.review_task.review, autoswe; print(autoswe.__file__)"
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == str(tmp_path / "autoswe/__init__.py"), ended.stderr
