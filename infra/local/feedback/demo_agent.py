"""Stands in for a model in the demo: a program of the adapter ``command`` that knows one repair (feedback §3).

It reads the prompt from standard input, as any program of that adapter does. When CI says that a file is not mentioned
in the list of changes it adds a line; every remark of a reviewer it leaves to a person.
"""

import json
import re
import sys
from pathlib import Path

MISSING = re.compile(r"(\S+): (\S+) is not mentioned")


def answer(prompt: str) -> dict[str, object]:
    """Do what the prompt asks for as far as this program can, and say so in the form that it asks for."""
    found = re.search(r"commit ([0-9a-f]{40})", prompt)
    asked = re.search(r"one entry for each of ([T0-9, ]+):", prompt)
    missing = MISSING.search(prompt) if asked is None else None
    if missing:
        with Path(missing[1]).open("a", encoding="utf-8") as changes:
            changes.write(f"- `{missing[2]}`: durations in words.\n")
    threads: list[dict[str, object]] = [
        {"label": label, "outcome": "needs_person", "note": "This remark needs a person.", "places": []}
        for label in (asked[1].split(", ") if asked else ())
    ]
    return {"head_sha": found[1] if found else "", "threads": threads}


if __name__ == "__main__":
    print(json.dumps(answer(sys.stdin.read())))
