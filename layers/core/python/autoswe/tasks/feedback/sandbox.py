"""A copy of the source in which the repository's own programs run, with nothing of ours in reach."""

import logging
import os
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from autoswe.contracts.containers import Command
from autoswe.contracts.feedback.fixing import Change
from autoswe.tasks.container.watchdog import Ended, Identity, run
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.change import apply_change
from autoswe.tasks.feedback.pristine import index_source

NOBODY = Identity(user=65534, group=65534)
"""Who the repository's programs run as where this process is root."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """One copy: ``workspace``, ``home`` and ``temporary`` are folders that its programs may write to.

    As root, programs run as ``NOBODY``, who can neither signal this process nor read its environment. Otherwise they
    run as this very user: they can end this process, and then there is no report, and reach what the user can reach.
    """

    workspace: Path
    home: Path
    temporary: Path
    identity: Identity | None

    @classmethod
    def prepare(cls, folder: Path, source: bytes, change: Change | None) -> "Sandbox":
        """Create ``folder``, which must not exist, with a copy of ``source``, changed by ``change`` if there is one.

        ``TaskFailed`` and ``SourceRefused`` when the change or the archive do not allow it.
        """
        folder.mkdir(mode=0o755)
        sandbox = cls(
            folder / "workspace", folder / "home", folder / "temporary", NOBODY if os.geteuid() == 0 else None
        )
        workspace = Workspace.unpack(BytesIO(source), sandbox.workspace)
        if change is not None:
            apply_change(change, index_source(source), workspace)
        sandbox.home.mkdir(mode=0o755)
        sandbox.temporary.mkdir(mode=0o755)
        if sandbox.identity is not None:
            _hand_over(folder, sandbox.identity)
        return sandbox

    def run(self, name: str, command: Command, timeout_seconds: float) -> Ended:
        """Run one program; the end of its output goes to the log, each line led by ``name``."""
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "LANG": "C.UTF-8",
        }
        ended = run(
            command,
            folder=self.workspace,
            environment=environment,
            timeout_seconds=timeout_seconds,
            identity=self.identity,
        )
        for line in ended.tail.decode(errors="replace").splitlines():
            logger.info("%s| %s", name, "".join(letter if letter.isprintable() else "�" for letter in line))
        return ended


def _hand_over(folder: Path, identity: Identity) -> None:
    for parent, folders, files in os.walk(folder):
        os.chown(parent, identity.user, identity.group)
        for name in (*folders, *files):
            os.chown(Path(parent, name), identity.user, identity.group, follow_symlinks=False)
