"""What a container fetches and hands over, by presigned addresses alone.

An address is a credential: no message here repeats one.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from time import sleep
from typing import TypeVar

import httpx

from autoswe.contracts.containers import Download, Upload
from autoswe.tasks.container.failure import TaskFailed

T = TypeVar("T")

PAUSES_SECONDS = (0.5, 2.0)
"""How long to wait before the second and the third attempt; there is no fourth."""

_CREATED = {200, 201, 204}
_ALREADY_EXISTS = 412
_CONFLICT = 409
"""S3 answers so while another conditional write of the same key is under way ("How to prevent object overwrites")."""


def open_client() -> httpx.Client:
    """Open the only kind of client that containers use: no redirects, no proxy or credential from the environment."""
    return httpx.Client(trust_env=False, follow_redirects=False, timeout=httpx.Timeout(30.0))


@dataclass(frozen=True)
class Transfer:
    """Moves whole documents; lost connections and server errors are tried three times in all."""

    client: httpx.Client
    pause: Callable[[float], None] = sleep

    def fetch(self, url: str, name: str, max_bytes: int) -> bytes:
        """Fetch what is at ``url``, at most ``max_bytes``; ``TaskFailed`` calls it ``name``."""

        def attempt() -> bytes:
            with self.client.stream("GET", url, headers={"accept-encoding": "identity"}) as response:
                if response.status_code == 200:
                    return _read_bounded(response, name, max_bytes)
                raise _refusal(f"{name} could not be fetched", response.status_code)

        return self._persist(attempt, f"{name} could not be fetched")

    def download(self, download: Download, name: str) -> bytes:
        """Fetch an artifact and verify that it is the one its reference names, byte for byte."""
        reference = download.reference
        content = self.fetch(download.url, name, reference.bytes)
        if len(content) != reference.bytes:
            raise TaskFailed(f"{name} is {len(content)} bytes long where its reference says {reference.bytes}")
        if hashlib.sha256(content).hexdigest() != reference.sha256:
            raise TaskFailed(f"{name} does not have the SHA-256 digest that its reference says")
        return content

    def upload(self, upload: Upload, body: bytes, name: str) -> None:
        """Create the object; ``TaskFailed`` if it exists already, is too large, or the storage refuses it.

        That it exists is taken for success in one case only: an earlier attempt of this very call may have arrived
        although its answer was lost. Nobody else holds the address, and an object is created once, so it is ours.
        """
        if len(body) > upload.max_bytes:
            raise TaskFailed(f"{name} is {len(body)} bytes long and may be {upload.max_bytes}")
        may_have_arrived = False

        def attempt() -> None:
            nonlocal may_have_arrived
            arrived_before, may_have_arrived = may_have_arrived, True
            try:
                status = self.client.put(upload.url, content=body, headers=upload.headers).status_code
            except (httpx.ConnectError, httpx.ConnectTimeout):
                may_have_arrived = arrived_before
                raise
            if status in _CREATED or (status == _ALREADY_EXISTS and arrived_before):
                return
            may_have_arrived = arrived_before or status >= 500
            if status == _ALREADY_EXISTS:
                raise TaskFailed(f"{name} exists already, so this task has run before; nothing was replaced")
            raise _refusal(f"{name} could not be uploaded", status)

        self._persist(attempt, f"{name} could not be uploaded")

    def _persist(self, attempt: Callable[[], T], failure: str) -> T:
        for pause in (*PAUSES_SECONDS, None):
            try:
                return attempt()
            except (httpx.InvalidURL, httpx.UnsupportedProtocol):
                raise TaskFailed(f"{failure}: its address is malformed") from None
            except httpx.TransportError as error:
                last = TaskFailed(f"{failure}: the connection failed ({type(error).__name__})")
            except _Passing as error:
                last = error
            if pause is not None:
                self.pause(pause)
        raise last


class _Passing(TaskFailed):
    """A refusal that another attempt may not meet."""


def _refusal(failure: str, status: int) -> TaskFailed:
    kind = _Passing if status >= 500 or status == _CONFLICT else TaskFailed
    return kind(f"{failure}: the answer was {status}")


def _read_bounded(response: httpx.Response, name: str, max_bytes: int) -> bytes:
    content = bytearray()
    for chunk in response.iter_raw():
        content += chunk
        if len(content) > max_bytes:
            raise TaskFailed(f"{name} is larger than the {max_bytes} bytes it may have")
    return bytes(content)
