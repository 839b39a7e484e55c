"""Just enough of AWS on the loopback interface for a cold start to make its calls."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def loopback_aws(secret: str) -> Iterator[str]:
    """Answer every secret with this one and every read of the table with nothing; gives the address."""
    answers = {
        "secretsmanager.GetSecretValue": {"SecretString": json.dumps([secret])},
        "DynamoDB_20120810.BatchGetItem": {"Responses": {}, "UnprocessedKeys": {}},
        "DynamoDB_20120810.Query": {"Items": [], "Count": 0, "ScannedCount": 0},
    }

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(answers[self.headers["x-amz-target"]]).encode()
            self.send_response(200)
            self.send_header("content-type", "application/x-amz-json-1.1")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
            """Keep the bench's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
