"""Keeps files by which a repository configures coding agents out of their sight while one runs.

Each such file, folder or link gets another name, by a mark at its end, and its own name back afterwards. It stays in
its place all the while, so that an agent can still be asked to change it: what was edited, added or deleted under the
marked name is so under the real one. The flags that the agents are started with switch the same files off; this is the
second lock, for names that a flag does not cover.
"""

import logging
import os
import stat
from itertools import count
from pathlib import Path

from autoswe.rules.source.archive import MAX_PATH_DEPTH
from autoswe.tasks.container.failure import TaskFailed

MAX_ENTRIES = 200_000
"""How many names a workspace may hold in all folders together."""

_NAMES = frozenset(
    {
        *("agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md"),
        *(".agents", ".claude", ".claude.json", ".codex", ".copilot", ".gemini", ".mcp.json"),
        *(".env", ".gitmodules", ".husky", ".ripgreprc", "bunfig.toml"),
    }
)
_ENDINGS = (".instructions.md",)
_BELOW = {
    ".github": frozenset(
        {
            "agents",
            "chatmodes",
            "commands",
            "copilot",
            "hooks",
            "instructions",
            "lsp.json",
            "mcp.json",
            "prompts",
            "skills",
        }
    ),
    ".vscode": frozenset({"mcp.json"}),
}

logger = logging.getLogger(__name__)


def set_aside(workspace: Path) -> str:
    """Rename what configures agents, at any depth, and give the mark that names now end with.

    No name of the workspace ended with that mark before. ``TaskFailed`` when the workspace holds too many names;
    ``OSError`` when one cannot be renamed.
    """
    entries = _walk(workspace)
    marks = map(".inert{}".format, count(1))
    mark = next(mark for mark in marks if not any(entry.name.endswith(mark) for entry in entries))
    for entry in reversed(entries):
        if _configures_agents(entry):
            entry.rename(entry.with_name(entry.name + mark))
    return mark


def put_back(workspace: Path, mark: str, bin_: Path) -> None:
    """Give every name that ends with ``mark`` its own name back; no program may run in the workspace any more.

    Where an agent wrote under the real name as well, both are kept as far as they can be: files that it added to a
    folder join that folder, and of two that claim one name the marked one stays. The other is moved into the new
    folder ``bin_``, and the log says so.
    """
    bin_.mkdir()
    for entry in reversed(_walk(workspace)):
        name = entry.name.removesuffix(mark)
        if name and name != entry.name:
            _take_place(entry, entry.with_name(name), bin_)


def real_path(path: str, mark: str) -> str:
    """Give a path of the workspace, as an agent names it, the names that its parts have afterwards."""
    return "/".join(part.removesuffix(mark) or part for part in path.split("/"))


def _configures_agents(entry: Path) -> bool:
    name = entry.name.casefold()
    if name in _NAMES or name.endswith(_ENDINGS) or name.startswith(".env."):
        return True
    # What lies behind a link to such a folder would bear none of the names that are looked for.
    if name in _BELOW and entry.is_symlink():
        return True
    return name in _BELOW.get(entry.parent.name.casefold(), frozenset())


def _take_place(marked: Path, real: Path, bin_: Path) -> None:
    if os.path.lexists(real):
        if _is_folder(marked) and _is_folder(real):
            _join(marked, real, MAX_PATH_DEPTH)
        if not (_is_folder(real) and all(map(_is_folder, _walk(real)))):
            logger.info("what the agent wrote as %r gave way to what it was told to edit", real.name[:200])
        real.rename(bin_ / str(len(list(bin_.iterdir()))))
    marked.rename(real)


def _join(kept: Path, added: Path, depth: int) -> None:
    """Move into the folder ``kept`` whatever ``added`` holds that has no name there yet."""
    if not depth:
        raise TaskFailed("the workspace holds folders that lie too deep")
    for entry in list(added.iterdir()):
        there = kept / entry.name
        if not os.path.lexists(there):
            entry.rename(there)
        elif _is_folder(there) and _is_folder(entry):
            _join(there, entry, depth - 1)


def _walk(root: Path) -> list[Path]:
    """List everything below ``root``, a folder before what it holds, without following links."""
    if not _is_folder(root):
        raise TaskFailed("the workspace is no longer a folder")
    found: list[Path] = []
    pending = [root]
    while pending:
        for entry in pending.pop().iterdir():
            found.append(entry)
            if _is_folder(entry):
                pending.append(entry)
        if len(found) > MAX_ENTRIES:
            raise TaskFailed(f"the workspace holds more than {MAX_ENTRIES} names")
    return found


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)
