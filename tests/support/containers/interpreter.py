"""A Python interpreter that has imported the containers' libraries already, and forks for each container.

Run as ``interpreter.py SOCKET`` it waits for containers. Run as ``interpreter.py SOCKET MODULE`` it is one:
it hands its environment, folder and output over, and ends as the fork does, which runs the module as its main program.
Starting an interpreter and importing takes most of the time that a container of a well-behaved fixer needs.
"""

import importlib
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

_MOST_BYTES = 1 << 16
_PRELOADED = (
    "autoswe.tasks.feedback.agents",
    "autoswe.tasks.feedback.collect",
    "autoswe.tasks.container.entry",
    "autoswe.tasks.feedback.gates",
    "autoswe.tasks.review.reviewer",
)


def be_container(address: str, module: str) -> int:
    """Have the warm interpreter run a module with what this process was started with; return its exit code."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(address)
        order = json.dumps({"module": module, "environment": dict(os.environ), "folder": str(Path.cwd())}).encode()
        socket.send_fds(connection, [len(order).to_bytes(4, "big") + order], [1, 2])
        signal.signal(signal.SIGTERM, lambda _number, _frame: connection.shutdown(socket.SHUT_WR))
        return int(connection.recv(16) or b"137")


def serve(address: str) -> None:
    """Fork for each container until whoever started this process closes its input, or is no more.

    The folder that holds the socket goes with it.
    """
    # The containers' pauses between tries are not what is looked at here.
    time.sleep = lambda _seconds: None
    for name in _PRELOADED:
        importlib.import_module(name)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(address)
    listening.listen()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _answer(connection)
        connection.close()
    shutil.rmtree(Path(address).parent)


def _answer(connection: socket.socket) -> None:
    data, files, _, _ = socket.recv_fds(connection, _MOST_BYTES, 2)
    size = int.from_bytes(data[:4], "big")
    while len(data) < size + 4:
        data += connection.recv(_MOST_BYTES)
    order = json.loads(data[4:])
    child = os.fork()
    if child == 0:
        connection.close()
        os._exit(_run(order, files))
    threading.Thread(target=_end_with_caller, args=(connection, child), daemon=True).start()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    connection.sendall(str(code if code >= 0 else 128 - code).encode())
    os._exit(0)


def _end_with_caller(connection: socket.socket, child: int) -> None:
    with suppress(OSError):
        connection.recv(1)
        os.killpg(child, signal.SIGKILL)


def _run(order: dict, files: list[int]) -> int:  # type: ignore[type-arg]  # a JSON object
    os.setpgid(0, 0)
    os.dup2(files[0], 1)
    os.dup2(files[1], 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.argv = [order["module"]]
    code = 0
    try:
        runpy.run_module(order["module"], run_name="__main__")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return code


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(be_container(sys.argv[1], sys.argv[2]))
    serve(sys.argv[1])
