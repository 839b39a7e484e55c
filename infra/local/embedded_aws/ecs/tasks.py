"""ECS tasks: containers as processes of this machine, one after another, with nothing of this process's environment."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from infra.local.embedded_aws.account import arn
from infra.local.embedded_aws.ecs.containers import Condition, Container, TaskDefinition

MAX_OUTPUT_BYTES = 1024 * 1024
SCRATCH_VARIABLE = "AUTOSWE_SCRATCH"
_INIT = Path(__file__).with_name("container_init.py")
_CHUNK_BYTES = 64 * 1024
_SECONDS_TO_DIE = 5.0


class Task:
    """One run of a task definition, from its start on.

    The containers share a scratch folder, named by ``AUTOSWE_SCRATCH`` and deleted when the task ends; each has a
    fresh home. ``exit_codes`` holds what each container that ended returned; one that never started is not in it.
    """

    def __init__(
        self,
        definition: TaskDefinition,
        environments: Mapping[str, Mapping[str, str]],
        folder: Path,
        stop_grace_seconds: float,
    ) -> None:
        self.definition = definition
        self.arn = arn("ecs", f"task/local/{folder.name}")
        self.exit_codes: dict[str, int] = {}
        self.stopped_from_outside = False
        self._environments = environments
        self._folder = folder
        self._stop_grace_seconds = stop_grace_seconds
        self._running: subprocess.Popen[bytes] | None = None
        self._starting = Lock()
        self._stopping = Lock()
        self._ended = Event()
        Thread(target=self._run, daemon=True, name=f"task {definition.family}").start()

    @property
    def succeeded(self) -> bool:
        """Whether every essential container ended with exit code 0."""
        return all(self.exit_codes.get(c.name) == 0 for c in self.definition.containers if c.essential)

    def wait(self, seconds: float) -> bool:
        """Wait until the task has ended, at most so long, and tell whether it has."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """End the task: its container is asked to end, then killed with everything it started. Returns afterwards."""
        with self._stopping:
            if not self._ended.is_set():
                self._end()

    def output(self, container: str) -> str:
        """Return what a container wrote to its standard output and error, up to 1 MiB; nothing if it never started."""
        log = self._log(container)
        return log.read_text(errors="replace") if log.exists() else ""

    def describe(self) -> dict[str, Any]:
        """Describe the task in the way of ECS's DescribeTasks, as Step Functions spells it."""
        status = "STOPPED" if self._ended.is_set() else "RUNNING"
        containers = []
        for container in self.definition.containers:
            described: dict[str, Any] = {"Name": container.name, "LastStatus": status}
            if container.name in self.exit_codes:
                described["ExitCode"] = self.exit_codes[container.name]
            containers.append(described)
        description: dict[str, Any] = {
            "TaskArn": self.arn,
            "TaskDefinitionArn": arn("ecs", f"task-definition/{self.definition.family}:1"),
            "LastStatus": status,
            "Containers": containers,
        }
        if status == "STOPPED":
            outside = self.stopped_from_outside
            description["StopCode"] = "UserInitiated" if outside else "EssentialContainerExited"
            description["StoppedReason"] = "Task stopped" if outside else "Essential container in task exited"
        return description

    def _run(self) -> None:
        scratch = self._folder / "scratch"
        homes = [self._folder / f"home-{container.name}" for container in self.definition.containers]
        try:
            for folder in (scratch, *homes):
                folder.mkdir(parents=True)
            for container in self.definition.in_order():
                if not self._startable(container):
                    break
                self._run_container(container, scratch)
        finally:
            for folder in (scratch, *homes):
                shutil.rmtree(folder, ignore_errors=True)
            self._ended.set()

    def _end(self) -> None:
        with self._starting:
            self.stopped_from_outside = True
            running = self._running
        for _ in ("asked", "killed"):
            if running is not None:
                running.terminate()
            if self._ended.wait(self._stop_grace_seconds):
                return
        if running is not None and not self._ended.wait(_SECONDS_TO_DIE):
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            self._ended.wait(_SECONDS_TO_DIE)

    def _startable(self, container: Container) -> bool:
        return all(
            name in self.exit_codes and (condition is Condition.COMPLETE or self.exit_codes[name] == 0)
            for name, condition in container.conditions
        )

    def _run_container(self, container: Container, scratch: Path) -> None:
        home = self._folder / f"home-{container.name}"
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            SCRATCH_VARIABLE: str(scratch),
            **container.environment,
            **self._environments.get(container.name, {}),
        }
        with self._starting:
            if self.stopped_from_outside:
                return
            self._running = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_INIT), *container.argv],
                env=environment,
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        with self._running as process:
            self._keep_output(process, self._log(container.name))
        self.exit_codes[container.name] = process.returncode

    @staticmethod
    def _keep_output(process: subprocess.Popen[bytes], log: Path) -> None:
        assert process.stdout is not None  # noqa: S101 - it was started with a pipe
        room = MAX_OUTPUT_BYTES
        with log.open("wb", buffering=0) as kept:
            while chunk := os.read(process.stdout.fileno(), _CHUNK_BYTES):
                kept.write(chunk[:room])
                room -= min(room, len(chunk))

    def _log(self, container: str) -> Path:
        return self._folder / f"{container}.log"
