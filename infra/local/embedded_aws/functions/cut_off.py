"""Cutting a function off where it stands, as Lambda does at its time-out.

On Lambda the sandbox is gone: nothing of the function runs any more. Here its thread is made to raise, wherever it is,
and whatever it still asks of a service on its way out is refused before it is sent.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident, local
from typing import Any

import httpx
from botocore.endpoint import Endpoint

from infra.local.embedded_aws.patches import Patches


class CutOff(BaseException):
    """Ends a function; nothing that a handler catches."""


class Run:
    """One run of a function, in the thread that made it."""

    def __init__(self) -> None:
        self.was_cut_off = False
        self._thread = get_ident()
        self._lock = Lock()
        self._over = False

    def cut_off(self) -> None:
        """End the function, from any thread; one that is over stays as it ended.

        From the function's own thread, such as in a hook around its calls, this raises at once. From another one, such
        as a server's that answers the function's request, the function ends before it can act on the answer.
        """
        own = get_ident() == self._thread
        with self._lock:
            if self._over or (self.was_cut_off and not own):
                return
            self.was_cut_off = True
            if not own:
                _raise_in(self._thread, CutOff)
        if own:
            raise CutOff

    def close(self) -> None:
        """Say that the function is over; raises ``CutOff`` when it was cut off and would not have it."""
        with self._lock:
            self._over = True
            _raise_in(self._thread, None)
        self.refuse_if_cut_off()

    def refuse_if_cut_off(self) -> None:
        """Raise ``CutOff`` when the function was cut off."""
        if self.was_cut_off:
            raise CutOff


_here = local()


@contextmanager
def running() -> Iterator[Run]:
    """Run a function in this thread until the block ends; raises ``CutOff`` at its end if it was cut off."""
    outer = getattr(_here, "run", None)
    run = _here.run = Run()
    try:
        try:
            yield run
        finally:
            run.close()
    finally:
        _here.run = outer


def install(patches: Patches) -> None:
    """Keep a function that was cut off from reaching a service of AWS, or anything else over HTTP."""

    def make_request(self: Any, operation_model: Any, request_dict: Any) -> Any:
        _refuse()
        return original_make_request(self, operation_model, request_dict)

    def handle_request(self: Any, request: Any) -> Any:
        _refuse()
        return original_handle_request(self, request)

    original_make_request = patches.method(Endpoint, "make_request", make_request)
    original_handle_request = patches.method(httpx.HTTPTransport, "handle_request", handle_request)


def _refuse() -> None:
    if run := getattr(_here, "run", None):
        run.refuse_if_cut_off()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise when it next runs Python code, or take that back."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error else ctypes.c_void_p()
    )
