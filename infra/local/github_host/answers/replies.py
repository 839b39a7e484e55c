"""An answer before it becomes HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    """Status, body and headers; a body is JSON, or plain text, or bytes as they are, or nothing."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        """The body as it goes over the wire."""
        if self.body is None:
            return b""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(self.body, separators=(",", ":"), ensure_ascii=False).encode()

    @property
    def content_type(self) -> str:
        """What the body is."""
        match self.body:
            case bytes():
                return "application/octet-stream"
            case str():
                return "text/plain; charset=utf-8"
            case _:
                return "application/json; charset=utf-8"
