"""Stand-in executables for the command-line agents: small programs that speak the real ones' output formats.

A stand-in's script has ``prompt``, ``head`` and ``labels`` from its standard input, ``answer`` (a good answer to it, as
JSON), ``emit`` for events, ``SECRET`` (its credential) and ``finish(text)``, which ends the way its real counterpart
does.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

_PRELUDE = """\
import json, os, pathlib, re, signal, subprocess, sys

prompt = sys.stdin.read()
head = re.search("commit ([0-9a-f]{40})", prompt)[1]
asked = re.search("one entry for each of ([T0-9, ]+):", prompt)
labels = asked[1].split(", ") if asked else []
SECRET = next((os.environ[name] for name in os.environ if name.endswith(("_KEY", "_TOKEN", "_CREDENTIAL"))), "")


def say(note="Done.", outcome="addressed", places=("app.txt",), head=head, labels=labels):
    threads = [{"label": label, "outcome": outcome, "note": note, "places": places} for label in labels]
    return json.dumps({"head_sha": head, "threads": threads})


def emit(*events):
    for event in events:
        print(json.dumps(event), flush=True)


answer = say()
"""

_FINISHES: Mapping[str, str] = {
    "copilot": """
def finish(text):
    emit(
        {"type": "session.info", "data": {"infoType": "configuration", "message": "Disabled tools: bash, skill"}},
        {"type": "assistant.message", "data": {"content": "", "toolRequests": [{"name": "edit"}]}},
        {"type": "tool.execution_complete", "data": {"success": True, "result": {"content": "updated"}}},
        {"type": "assistant.message", "data": {"content": text, "toolRequests": []}},
        {"type": "assistant.idle", "data": {}},
        {"type": "result", "exitCode": 0, "usage": {"premiumRequests": 0, "totalApiDurationMs": 43}},
    )
    used = {"inputTokens": 11, "outputTokens": 7, "cacheReadTokens": 0}
    metrics = {"m-1": {"requests": {"count": 2}, "usage": used}, "m-2": {"usage": used}}
    where = sys.argv[sys.argv.index("--usage-output-file") + 1]
    pathlib.Path(where).write_text(json.dumps({"totalNanoAiu": 0, "modelMetrics": metrics}))
""",
    "claude": """
def finish(text):
    try:
        structured = {"structured_output": json.loads(text)}
    except (ValueError, RecursionError):
        structured = {}
    used = {"input_tokens": 20, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 1, "output_tokens": 14}
    emit({
        "duration_api_ms": 1040, "total_cost_usd": 0.0004, "usage": used, "permission_denials": [],
        "terminal_reason": "completed", "is_error": False, "num_turns": 4, "subtype": "success",
        "result": text, **structured, "type": "result",
    })
""",
    "codex": """
def finish(text):
    emit(
        {"type": "thread.started", "thread_id": "1"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "error", "message": "a warning"}},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"type": "command_execution", "aggregated_output": "", "exit_code": 0}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": text}},
        {"type": "turn.completed", "usage": {"input_tokens": 22, "cached_input_tokens": 0, "output_tokens": 14}},
    )
""",
    "command": """
def finish(text):
    print(text)
""",
}

AGENTS = tuple(_FINISHES)
GOOD = 'pathlib.Path("app.txt").write_text("right\\n")\nfinish(answer)\n'
"""An agent that does what it was asked."""


def install(folder: Path, agent: str, script: str) -> None:
    """Write the stand-in for ``agent`` into ``folder``; the adapter ``command`` finds it as ``my-agent``."""
    program = folder / ("my-agent" if agent == "command" else agent)
    program.write_text(f"#!{sys.executable} -IS\n{_PRELUDE}{_FINISHES[agent]}\n{script}")
    program.chmod(0o755)
