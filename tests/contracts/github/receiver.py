"""Somebody who receives webhooks, and remembers them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "not a" + " secret"

Answer = Callable[[], int]


@dataclass
class Receiver:
    """What arrived, as headers and body; ``answer`` decides the status of each reply."""

    url: str = ""
    answer: Answer = lambda: 202
    arrived: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def open_receiver() -> Iterator[Receiver]:
    """Listen on a free port."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.arrived.append((dict(self.headers.items()), body))
            self.send_response(receiver.answer())
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        receiver.url = f"http://127.0.0.1:{server.server_port}/webhook"
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
