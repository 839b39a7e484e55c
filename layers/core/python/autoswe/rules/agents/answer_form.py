"""The form that the answer of an agent with a model must have (feedback §3)."""

from collections.abc import Mapping
from typing import Any

MAX_NOTE_CHARACTERS = 500
"""How long a model's note on one thread may be."""

MAX_PLACES = 50
"""How many paths a model may name for one thread."""

ANSWER_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["head_sha", "threads"],
    "properties": {
        "head_sha": {"type": "string"},
        "threads": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["label", "outcome", "note", "places"],
                "properties": {
                    "label": {"type": "string"},
                    "outcome": {"type": "string", "enum": ["addressed", "needs_person", "declined"]},
                    "note": {"type": "string", "maxLength": MAX_NOTE_CHARACTERS},
                    "places": {"type": "array", "maxItems": MAX_PLACES, "items": {"type": "string"}},
                },
            },
        },
    },
}
"""The answer's JSON schema: only what the model services understand; the contract that judges it asks for more."""
