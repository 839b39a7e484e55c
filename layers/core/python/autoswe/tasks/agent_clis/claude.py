"""Claude Code (``claude --help``, 2.1.332).

Restricted mode takes away every tool that runs something, confines the others to the workspace, and ignores the
settings that a repository brings, which could send the credential elsewhere; no MCP server is started.
"""

import json
from pathlib import Path

from autoswe.rules.agents.answer_form import ANSWER_SCHEMA
from autoswe.tasks.agent_clis.cli import CREDENTIAL, MODEL, Cli, Launch, Reply, Settings, part, read_last, tokens, usage

_MODEL_SERVICE = "https://api.anthropic.com"


def launch(settings: Settings, home: Path) -> Launch:
    """Start it with tools that read and edit files, and ask for an answer in the form of a fixer's."""
    return start(
        settings,
        home,
        *("--json-schema", json.dumps(ANSWER_SCHEMA)),
        *("--tools", "Read,Edit,Write,Glob,Grep", "--permission-mode", "acceptEdits"),
    )


def start(settings: Settings, home: Path, *flags: str) -> Launch:
    """Start it with tools and a form of the answer as ``flags`` say; the credential is an API key.

    It would wait for a silent service without end: an attempt gets two minutes, and there are three.
    """
    return Launch(
        (
            *("claude", "--print", "--model", settings.require(MODEL), "--output-format", "json"),
            *("--restricted", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"),
            *("--permission-prompts", "none", *flags),
        ),
        {
            "ANTHROPIC_API_KEY": settings.require(CREDENTIAL),
            "ANTHROPIC_BASE_URL": _MODEL_SERVICE,
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "API_TIMEOUT_MS": "120000",
            "CLAUDE_CODE_MAX_RETRIES": "2",
        },
    )


def read_reply(output: bytes, _home: Path) -> Reply | None:
    """Take the result, structured where the model kept to the schema; a service that failed says "success" too."""
    last = read_last(output)
    said = [last.get(name) for name in ("type", "subtype", "is_error", "terminal_reason")]
    if said != ["result", "success", False, "completed"]:
        return None
    structured, text = last.get("structured_output"), last.get("result")
    used = part(last, "usage")
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return Reply(
        json.dumps(structured) if structured is not None else text if isinstance(text, str) else "",
        usage(
            sum(tokens(used.get(name)) for name in ("input_tokens", *cached)),
            tokens(used.get("output_tokens")),
        ),
    )


CLAUDE = Cli("claude", launch, read_reply)
