"""Files that configure coding agents are out of an agent's sight, and nothing of them is lost (architecture §9.12)."""

import logging
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.feedback.fixing import ChangeOperation
from autoswe.tasks.agent_clis import set_aside as module
from autoswe.tasks.agent_clis.set_aside import put_back, real_path, set_aside
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.feedback.collect import compare
from autoswe.tasks.feedback.pristine import index_source
from tests.tasks.containers import HEAD
from tests.tasks.source_trees import pack, read_folder, text_file

PLANTED = (
    *("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "docs/deep/claude.md"),
    *(".claude/settings.json", ".claude/CLAUDE.md", ".claude/skills/a/SKILL.md", ".claude.json", ".mcp.json"),
    *(".codex/config.toml", ".agents/skills/b/SKILL.md", "lib/.claude/agents/c.md", ".vscode/mcp.json"),
    *(".github/copilot-instructions.md", ".github/instructions/x.instructions.md", "lib/y.instructions.md"),
    *(".github/hooks/h.json", ".github/copilot/settings.json", ".github/skills/d/SKILL.md", ".github/agents/e.md"),
    *(".github/prompts/p.md", ".github/commands/c.md", ".github/mcp.json"),
    *(".env", ".env.local", ".gitmodules", ".husky/pre-commit", ".ripgreprc", "bunfig.toml"),
)
ORDINARY = (
    *("README.md", "src/agents.py", "src/claude/settings.json", ".github/workflows/ci.yml", ".github/CODEOWNERS"),
    *("hooks/h.json", "instructions/x.md", ".vscode/settings.json", "src/env"),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for path in (*PLANTED, *ORDINARY):
        write(root / path, f"the source's {path}")
    return root


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def paths(root: Path) -> set[str]:
    return {file.path for file in read_folder(root)}


def test_nothing_that_configures_an_agent_has_its_name_while_one_runs(workspace: Path) -> None:
    mark = set_aside(workspace)
    seen = paths(workspace)
    assert seen.isdisjoint(PLANTED)
    assert seen.issuperset(ORDINARY)
    assert {real_path(path, mark) for path in seen} == {*PLANTED, *ORDINARY}


def test_what_an_agent_left_alone_is_put_back_byte_for_byte(workspace: Path, tmp_path: Path) -> None:
    (workspace / "CLAUDE.md").unlink()
    (workspace / "CLAUDE.md").symlink_to("AGENTS.md")
    (workspace / ".husky/pre-commit").chmod(0o755)
    before = read_folder(workspace)
    mark = set_aside(workspace)
    assert read_folder(workspace) != before
    put_back(workspace, mark, tmp_path / "replaced")
    assert read_folder(workspace) == before


def test_edits_additions_and_deletions_under_the_marked_names_are_changes_of_the_real_ones(tmp_path: Path) -> None:
    source = [text_file("AGENTS.md", "old\n"), text_file(".claude/a.md", "a\n"), text_file(".claude/b.md", "b\n")]
    root = tmp_path / "workspace"
    for file in source:
        write(root / file.path, file.content.decode())
    mark = set_aside(root)
    (root / f"AGENTS.md{mark}").write_text("new\n")
    (root / f".claude{mark}/a.md").unlink()
    (root / f".claude{mark}/c.md").write_text("c\n")
    put_back(root, mark, tmp_path / "replaced")
    change = compare(root, index_source(pack(*source)), HEAD)
    assert [(file.path, file.op) for file in change.files] == [
        (".claude/a.md", ChangeOperation.DELETE),
        (".claude/c.md", ChangeOperation.ADD),
        ("AGENTS.md", ChangeOperation.MODIFY),
    ]


def test_a_new_file_under_a_name_that_was_free_stays(tmp_path: Path, workspace: Path) -> None:
    (workspace / "AGENTS.md").unlink()
    mark = set_aside(workspace)
    write(workspace / "AGENTS.md", "the agent's")
    put_back(workspace, mark, tmp_path / "replaced")
    assert (workspace / "AGENTS.md").read_text() == "the agent's"


def test_files_added_to_a_folder_under_its_real_name_join_it(tmp_path: Path, workspace: Path) -> None:
    mark = set_aside(workspace)
    write(workspace / ".claude/skills/new/SKILL.md", "the agent's")
    put_back(workspace, mark, tmp_path / "replaced")
    assert (workspace / ".claude/skills/new/SKILL.md").read_text() == "the agent's"
    assert paths(workspace) == {*PLANTED, *ORDINARY, ".claude/skills/new/SKILL.md"}


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_of_two_that_claim_one_name_the_marked_one_stays_and_the_log_says_so(
    tmp_path: Path, workspace: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    caplog.set_level(logging.INFO)
    before = read_folder(workspace)
    mark = set_aside(workspace)
    if kind == "file":
        write(workspace / ".claude/settings.json", "the agent's")
        write(workspace / "AGENTS.md", "the agent's")
    elif kind == "folder":
        write(workspace / "AGENTS.md/x", "the agent's")
    else:
        (workspace / "AGENTS.md").symlink_to(tmp_path)
    put_back(workspace, mark, tmp_path / "replaced")
    assert read_folder(workspace) == before
    assert "what the agent wrote as 'AGENTS.md' gave way" in caplog.text


def test_no_mark_is_taken_that_a_name_already_ends_with(tmp_path: Path, workspace: Path) -> None:
    write(workspace / "notes.inert1", "the source's notes")
    before = read_folder(workspace)
    mark = set_aside(workspace)
    put_back(workspace, mark, tmp_path / "replaced")
    assert read_folder(workspace) == before


@pytest.mark.parametrize("name", [".github", ".vscode"])
def test_a_link_to_a_folder_of_such_files_is_set_aside_itself(tmp_path: Path, name: str) -> None:
    root = tmp_path / "workspace"
    write(root / "elsewhere/hooks/h.json", "{}")
    (root / name).symlink_to("elsewhere")
    mark = set_aside(root)
    assert not os.path.lexists(root / name)
    put_back(root, mark, tmp_path / "replaced")
    assert (root / name).readlink() == Path("elsewhere")


def test_no_link_is_followed_out_of_the_workspace(tmp_path: Path, workspace: Path) -> None:
    write(tmp_path / "outside/CLAUDE.md", "not ours")
    (workspace / "out").symlink_to(tmp_path / "outside")
    mark = set_aside(workspace)
    write(tmp_path / f"outside/x{mark}", "not ours")
    put_back(workspace, mark, tmp_path / "replaced")
    assert paths(tmp_path / "outside") == {"CLAUDE.md", f"x{mark}"}


def test_a_workspace_that_an_agent_replaced_is_not_touched(tmp_path: Path, workspace: Path) -> None:
    mark = set_aside(workspace)
    workspace.rename(tmp_path / "moved")
    workspace.symlink_to(tmp_path / "moved")
    with pytest.raises(TaskFailed, match="the workspace is no longer a folder"):
        put_back(workspace, mark, tmp_path / "replaced")


def test_a_flood_of_names_is_refused(tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = set_aside(workspace)
    monkeypatch.setattr(module, "MAX_ENTRIES", 20)
    with pytest.raises(TaskFailed, match="more than 20 names"):
        put_back(workspace, mark, tmp_path / "replaced")


def test_folders_that_an_agent_nested_without_end_are_refused(tmp_path: Path, workspace: Path) -> None:
    mark = set_aside(workspace)
    for folder in (f".claude{mark}", ".claude"):
        (workspace / folder / "/".join("d" * 200)).mkdir(parents=True)
    with pytest.raises(TaskFailed, match="folders that lie too deep"):
        put_back(workspace, mark, tmp_path / "replaced")


NAMES = st.sampled_from(["a", "b.py", "AGENTS.md", ".claude", ".github", "hooks", ".inert1", "x.inert1", "CLAUDE.md"])
TREES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), st.sampled_from(["", "one", "two"]), max_size=8
)


@given(files=TREES)
def test_setting_aside_and_putting_back_is_no_change(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]
) -> None:
    scratch = tmp_path_factory.mktemp("any")
    root = scratch / "workspace"
    root.mkdir()
    for path, text in files.items():
        if not any(path.startswith(f"{other}/") for other in files):
            write(root / path, text)
    before = read_folder(root)
    put_back(root, set_aside(root), scratch / "replaced")
    assert read_folder(root) == before


def test_a_place_under_a_marked_name_is_told_by_its_real_name() -> None:
    assert real_path(".claude.inert1/CLAUDE.md.inert1", ".inert1") == ".claude/CLAUDE.md"
    assert real_path("a/.inert1/b.inert1.py", ".inert1") == "a/.inert1/b.inert1.py"
