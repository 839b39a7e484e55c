"""Codex CLI (``codex exec --help``, 0.171.0).

It reads and edits by running commands. Its own sandbox needs user namespaces, which a container may lack, and then no
command runs at all; so the agent's container is the sandbox, and Codex is told to build none. Commands do not inherit
the credential; that they cannot read it from Codex's own process either is up to how the image installs Codex.
Instructions and skills of a repository are switched off, and its folder is never trusted.
"""

import json
from pathlib import Path

from autoswe.rules.agents.answer_form import ANSWER_SCHEMA
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
    tokens,
    usage,
)

_MODEL_SERVICE = "https://api.openai.com/v1"
_SCHEMA_FILE = "answer-schema.json"


def launch(settings: Settings, home: Path) -> Launch:
    """Start it so that it answers in the form of a fixer's."""
    schema = home / _SCHEMA_FILE
    schema.write_text(json.dumps(ANSWER_SCHEMA), encoding="utf-8")
    return start(settings, home, "--output-schema", str(schema))


def start(settings: Settings, home: Path, *flags: str) -> Launch:
    """Start it with ``flags`` and without any configuration but this; the credential is an API key."""
    codex_home = home / ".codex"
    codex_home.mkdir()
    configured = (
        f'openai_base_url="{_MODEL_SERVICE}"',
        'web_search="disabled"',
        "project_doc_max_bytes=0",
        "skills.include_instructions=false",
        "shell_environment_policy.ignore_default_excludes=false",
    )
    return Launch(
        (
            *("codex", "exec", "--json", "--model", settings.require(MODEL), *flags),
            *("--ephemeral", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check", "--disable", "goals"),
            *("--sandbox", "danger-full-access"),
            *(word for setting in configured for word in ("-c", setting)),
            "-",
        ),
        {"CODEX_API_KEY": settings.require(CREDENTIAL), "CODEX_HOME": str(codex_home)},
    )


def read_reply(output: bytes, _home: Path) -> Reply | None:
    """Take the last message of the agent, if the last event is a turn that was completed."""
    text = ""
    for event in read_events(output):
        item = part(event, "item")
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            said = item.get("text")
            text = said if isinstance(said, str) else ""
    last = read_last(output)
    if last.get("type") != "turn.completed":
        return None
    used = part(last, "usage")
    return Reply(text, usage(tokens(used.get("input_tokens")), tokens(used.get("output_tokens"))))


CODEX = Cli("codex", launch, read_reply)
