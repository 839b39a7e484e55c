"""The command-line reviewers: the fixer's programs with tools that read, and what they say that a session cost.

What they may use states an intention and contains nothing (review §4.1): a session's container holds no credential but
the model's, whatever is written in it is thrown away, and of all that a program says only its last message is believed
to be its own.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autoswe.rules.agents.usage import MAX_USAGE_BYTES, SessionUsage, read_usage
from autoswe.tasks.agent_clis import claude, codex, copilot
from autoswe.tasks.agent_clis.cli import Cli, Launch, Settings, read_last
from autoswe.tasks.agent_clis.command import COMMAND_LINE
from autoswe.tasks.container.workspace import NotAFile, Workspace

TRANSCRIPT_FILE = "transcript.md"
LOG_FOLDER = "logs"
"""Where in its home a program leaves what it says about its work; it is kept and never parsed."""

_READING_COMMANDS = ("cat", "jq", "grep", "head", "tail", "wc", "ls")


@dataclass(frozen=True, slots=True)
class ReviewCli:
    """A reviewer: how its program is started and read, and how its standard output and home tell what it cost."""

    cli: Cli
    read_usage: Callable[[bytes, Path], SessionUsage]


def launch_copilot(settings: Settings, home: Path) -> Launch:
    """Start it with its shell tools alone and a list of programs for them (review §7.2).

    ``awk``, ``sed`` and ``find`` are not on it, as each can write or run commands.
    """
    return copilot.start(
        settings,
        home,
        "--available-tools=bash,list_bash,read_bash,stop_bash",
        f"--allow-tool={_shell(_READING_COMMANDS)}",
        f"--deny-tool=write,{_shell(('gh', 'git'))}",
        "--secret-env-vars=COPILOT_GITHUB_TOKEN",
        *("--log-dir", str(home / LOG_FOLDER)),
        f"--share={home / TRANSCRIPT_FILE}",
    )


def launch_claude(settings: Settings, home: Path) -> Launch:
    """Start it with the tools that read files below the folder it runs in; it has none that runs a command."""
    return claude.start(settings, home, "--tools", "Read,Glob,Grep")


def _shell(programs: tuple[str, ...]) -> str:
    return ",".join(f"shell({program}),shell({program}:*)" for program in programs)


def _read_copilot_usage(_output: bytes, home: Path) -> SessionUsage:
    """Read its usage file, which it also writes when it is told to end."""
    try:
        return read_usage(Workspace(home).read(copilot.USAGE_FILE, MAX_USAGE_BYTES).content)
    except NotAFile:
        return SessionUsage()


def _read_claude_usage(output: bytes, _home: Path) -> SessionUsage:
    """Read how long its calls took; what a request costs is not counted in Copilot's units."""
    milliseconds = read_last(output).get("duration_api_ms")
    return read_usage(
        json.dumps({"totalApiDurationMs": milliseconds}).encode() if isinstance(milliseconds, int) else None
    )


def _untold(_output: bytes, _home: Path) -> SessionUsage:
    return SessionUsage()


REVIEW_CLIS: Mapping[str, ReviewCli] = {
    reviewer.cli.name: reviewer
    for reviewer in (
        ReviewCli(Cli("copilot", launch_copilot, copilot.read_reply), _read_copilot_usage),
        ReviewCli(Cli("claude", launch_claude, claude.read_reply), _read_claude_usage),
        # Codex reads by running commands and has no list of those that it may run; see its module for the sandbox.
        ReviewCli(Cli("codex", codex.start, codex.read_reply), _untold),
        ReviewCli(COMMAND_LINE, _untold),
    )
}
"""The command-line reviewers by the names that a manifest may give."""
