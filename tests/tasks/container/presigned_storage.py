"""A loopback server that behaves as presigned, create-only S3 does, and fails when told to."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.containers import Download, Upload

Fault = int | Literal["hang up", "store and hang up"]

SIGNATURE = "5" * 64
"""What makes an address a credential; no log may show it."""

SIGNED_HEADERS = {"If-None-Match": "*", "Content-Type": "application/json"}


class PresignedStorage:
    """Objects by key, the faults that the next requests for a key meet, and all requests so far."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.objects: dict[str, bytes] = {}
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.requests: list[tuple[str, str]] = []

    def url(self, key: str) -> str:
        return f"{self.address}/bucket/{key}?X-Amz-Signature={SIGNATURE}"

    def store(self, key: str, content: bytes) -> Download:
        """Store an object and give a reference to it that is true."""
        self.objects[key] = content
        digest = hashlib.sha256(content).hexdigest()
        reference = ArtifactReference(key=key, version_id="1", sha256=digest, bytes=len(content))
        return Download(url=self.url(key), reference=reference)

    def upload(self, key: str, max_bytes: int = 10**9) -> Upload:
        return Upload(url=self.url(key), headers=SIGNED_HEADERS, max_bytes=max_bytes)


@contextmanager
def serving() -> Iterator[PresignedStorage]:
    """Serve an empty storage on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    storage = PresignedStorage(f"http://127.0.0.1:{server.server_address[1]}")
    server.storage = storage  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield storage
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        key, storage = self._open()
        if key is None:
            return
        if key in storage.objects:
            self._answer(200, storage.objects[key])
        else:
            self._answer(404)

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        key, storage = self._open(body)
        if key is None:
            return
        if any(self.headers.get(name) != value for name, value in SIGNED_HEADERS.items()):
            self._answer(403)
        elif key in storage.objects:
            self._answer(412)
        else:
            storage.objects[key] = body
            self._answer(200)

    def _open(self, body: bytes = b"") -> tuple[str | None, PresignedStorage]:
        storage: PresignedStorage = self.server.storage  # type: ignore[attr-defined]
        split = urlsplit(self.path)
        key = split.path.removeprefix("/bucket/")
        storage.requests.append((self.command, key))
        if parse_qs(split.query).get("X-Amz-Signature") != [SIGNATURE]:
            self._answer(403)
        elif not storage.faults[key]:
            return key, storage
        else:
            fault = storage.faults[key].popleft()
            if isinstance(fault, int):
                self._answer(fault)
            else:
                self.close_connection = True
                if fault == "store and hang up":
                    storage.objects[key] = body
        return None, storage

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Keep the test's output clean."""
