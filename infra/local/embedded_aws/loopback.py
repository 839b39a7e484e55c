"""A web server on this machine's loopback address."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

from werkzeug.serving import WSGIRequestHandler, make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_SECONDS_TO_NOTICE_STOP = 0.01


class QuietRequestHandler(WSGIRequestHandler):
    """Serves without a line per request on the terminal, and closes the connection when an application breaks it."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""

    def connection_dropped(self, error: BaseException, environ: object = None) -> None:  # noqa: ARG002 - werkzeug's
        """Close the connection, so that the client notices that no answer will come."""
        self.close_connection = True


@contextmanager
def serve(
    application: "WSGIApplication", *, port: int = 0, handler: type[WSGIRequestHandler] = QuietRequestHandler
) -> Iterator[str]:
    """Serve a WSGI application, each request in a thread of its own, and give its URL; port 0 takes a free one."""
    server = make_server("127.0.0.1", port, application, threaded=True, request_handler=handler)
    thread = Thread(target=server.serve_forever, args=(_SECONDS_TO_NOTICE_STOP,), daemon=True, name="loopback server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
