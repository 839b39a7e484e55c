"""The host's HTTP side: a threaded server on the loopback interface."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn
from wsgiref.types import StartResponse, WSGIEnvironment

from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.answers.timestamps import http_date
from infra.local.github_host.http.dispatch import CODELOAD_ROOT, JOB_LOGS_ROOT, Dispatch, Question
from infra.local.github_host.http.faults import Silence
from infra.local.github_host.http.outages import ConnectionCut

REST_ROOT = "/api/v3"
GRAPHQL_ROOT = "/api/graphql"
_LOOK_AGAIN_SECONDS = 0.2
_STOPS_WITHIN_SECONDS = 0.02


class _QuietHandler(WSGIRequestHandler):
    """Serve without writing a log; the host keeps its own record of calls."""

    def send_response(self, code: int, message: str | None = None) -> None:
        """Begin an answer without the machine's own date; the host's clock gives it."""
        self.send_response_only(code, message)

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - werkzeug's name
        """Write nothing."""


class Server:
    """Answer HTTP on a free port of the loopback interface from ``start()`` to ``stop()``."""

    def __init__(self, dispatch: Callable[[], Dispatch]) -> None:
        self._dispatch = dispatch
        self._stopping = threading.Event()
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_QuietHandler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_STOPS_WITHIN_SECONDS,), name="github-host", daemon=True
        )

    @property
    def url(self) -> str:
        """The root of what the server answers, without a final slash."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Stop answering and free the port."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request = Request(environ)
        # Read in any case: a caller that is still sending would not see the answer.
        body = request.get_data()
        try:
            reply = self._reply(request, body)
        except Silence:
            self._wait_for_caller_to_leave(environ)
            _cut(environ)
        except ConnectionCut:
            _cut(environ)
        response = Response(reply.content, reply.status, content_type=reply.content_type)
        response.headers.extend(dict(reply.headers))
        response.headers["Date"] = http_date(self._dispatch().services.state.now())
        version = self._dispatch().services.state.enterprise_version
        if version is not None:
            response.headers["X-GitHub-Enterprise-Version"] = version
        response.headers["X-GitHub-Request-Id"] = f"{len(self._dispatch().calls):04X}:0001"
        return response(environ, start_response)

    def _reply(self, request: Request, body: bytes) -> Reply:
        dispatch = self._dispatch()
        headers = {"Authorization", "Range", "User-Agent", "X-GitHub-Api-Version"}
        question = Question(
            method=request.method,
            path=request.path.removeprefix(REST_ROOT),
            query=request.args.to_dict(),
            headers={name: request.headers[name] for name in headers if name in request.headers},
            body=body,
        )
        if request.path == GRAPHQL_ROOT and request.method == "POST":
            return dispatch.graphql(question)
        if request.path.startswith(f"{REST_ROOT}/"):
            return dispatch.rest(question)
        if request.path.startswith(CODELOAD_ROOT):
            return dispatch.codeload(question)
        if request.path.startswith(JOB_LOGS_ROOT):
            return dispatch.job_log(question)
        return Reply(404, {"message": "Not Found"})

    def _wait_for_caller_to_leave(self, environ: WSGIEnvironment) -> None:
        connection = environ["werkzeug.socket"]
        while not self._stopping.is_set():
            readable, _, _ = select.select([connection], [], [], _LOOK_AGAIN_SECONDS)
            if readable:
                return


def _cut(environ: WSGIEnvironment) -> NoReturn:
    # The caller may have hung up already.
    with suppress(OSError):
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    raise ConnectionResetError("the host was told to cut this connection")
