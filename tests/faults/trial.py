"""One round played from the reviewer's request to its very end, with whatever faults are planned for it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autoswe.contracts.rows import GateSettings
from infra.local.assembly import LocalAssembly
from tests.faults.kinds import Fault
from tests.faults.places import Place
from tests.faults.verdict import complaints
from tests.faults.watch import Watch
from tests.scenarios.story import GATES, Story
from tests.support.warm_containers import warm_task

REFUSING_GATES = GateSettings(lint=("sh", "-c", "! grep -q '+=' total.py"))
"""A gate that passes on the flawed file and fails on the one that the reviewer's suggestion makes of it."""

MOST_SWEEPS = 4
SECONDS_BETWEEN_SWEEPS = 900


@dataclass(frozen=True)
class Trial:
    """What came of one round: the calls it made, the faults it met, whether it pushed, and what should not be.

    ``reason`` is what the round's record gives for a failure.
    """

    places: Sequence[Place]
    met: Sequence[Fault]
    pushed: bool
    reason: str | None
    complaints: Sequence[str]


@dataclass(frozen=True)
class Stand:
    """An assembly under watch, on which one trial is held after another."""

    assembly: LocalAssembly
    watch: Watch

    def hold(self, *plan: Fault, gates: GateSettings = GATES) -> Trial:
        """Play a round under a plan, let the system recover as the deployed one would, and judge what it left."""
        story = Story.begin(self.assembly, gates=gates)
        story.settle_ci("success")
        with self.watch.following(plan):
            story.request_changes()
            story.finish()
            for _ in range(MOST_SWEEPS):
                self.assembly.clock.advance(SECONDS_BETWEEN_SWEEPS)
                self.assembly.sweep()
                story.finish()
                if not complaints(story):
                    break
        reason = next((row.get("reason") for row in story.rows("FIRE#")), None)
        return Trial(self.watch.places, self.watch.met, bool(story.commits()), reason, complaints(story))


@contextmanager
def stand(root: Path) -> Iterator[Stand]:
    """Put up an assembly under watch; its stream moves only when a trial moves it, so that calls come in one order."""
    with (
        warm_task() as task,
        LocalAssembly(root, task=task, pump_in_background=False) as assembly,
        Watch(assembly).installed() as watch,
    ):
        yield Stand(assembly, watch)
