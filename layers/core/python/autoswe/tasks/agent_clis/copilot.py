"""GitHub Copilot CLI (``copilot help``, 1.0.102).

The prompt comes by standard input, as an argument could be too long. What a repository configures is not read without
trust in its folder, which is never given; its instructions are switched off. A fixer may look at and edit files of the
workspace, and nothing else: the list of its tools names no shell, no sub-agents and no skills.
"""

from pathlib import Path

from autoswe.contracts.containers import Usage
from autoswe.rules.agents.usage import MAX_USAGE_BYTES
from autoswe.tasks.agent_clis.cli import (
    CREDENTIAL,
    MODEL,
    Cli,
    Launch,
    Reply,
    Settings,
    part,
    read_events,
    read_last,
    read_object,
    tokens,
    usage,
)
from autoswe.tasks.container.workspace import NotAFile, Workspace

USAGE_FILE = "usage.json"
"""The file of its home in which it says what a run cost."""


def launch(settings: Settings, home: Path) -> Launch:
    """Start it with tools that read and edit files alone."""
    return start(
        settings,
        home,
        *("--log-level", "none"),
        "--available-tools=view,grep,glob,create,edit,apply_patch",
        *("--allow-tool=write", "--deny-tool=shell", "--deny-tool=url"),
    )


def start(settings: Settings, home: Path, *flags: str) -> Launch:
    """Start it with tools as ``flags`` say; the credential is a GitHub token with the right to Copilot requests."""
    return Launch(
        (
            "copilot",
            *("--model", settings.require(MODEL)),
            *("--output-format", "json", "--no-color"),
            *("--usage-output-file", str(home / USAGE_FILE)),
            *flags,
            *("--disallow-temp-dir", "--no-custom-instructions", "--disable-builtin-mcps", "--no-bash-env"),
            *("--no-ask-user", "--no-remote", "--no-remote-export", "--no-auto-update", "--disable-client-telemetry"),
        ),
        {"COPILOT_GITHUB_TOKEN": settings.require(CREDENTIAL), "COPILOT_HOME": str(home / ".copilot")},
    )


def read_reply(output: bytes, home: Path) -> Reply | None:
    """Take the last message of the assistant, if the very last event is a result without an error."""
    text = ""
    for event in read_events(output):
        if event.get("type") == "assistant.message":
            content = part(event, "data").get("content")
            text = content if isinstance(content, str) else ""
    last = read_last(output)
    return Reply(text, _read_usage(home)) if (last.get("type"), last.get("exitCode")) == ("result", 0) else None


def _read_usage(home: Path) -> Usage:
    try:
        stored = read_object(Workspace(home).read(USAGE_FILE, MAX_USAGE_BYTES).content)
    except NotAFile:
        return Usage()
    used = [part(metrics, "usage") for metrics in part(stored, "modelMetrics").values()]
    return usage(
        sum(tokens(one.get("inputTokens")) for one in used), sum(tokens(one.get("outputTokens")) for one in used)
    )


COPILOT = Cli("copilot", launch, read_reply)
