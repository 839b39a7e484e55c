"""One round played from the reviewer's request to its very end, with whatever faults are planned for it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autoswe.contracts.records.platform import GateSettings
from infra.local.assembly import LocalAssembly
from tests.faults.courses import FIX, FOLLOW_UP, Course
from tests.faults.kinds import Fault
from tests.faults.places import Place
from tests.faults.verdict import complaints
from tests.faults.watch import Watch
from tests.scenarios.story import GATES, Story
from tests.support.containers.warm import warm_task
from tests.support.feedback.repairing_agent import RepairingAgent

REFUSING_GATES = GateSettings(lint=("sh", "-c", "! grep -q '+=' total.py"))
"""A gate that passes on the flawed file and fails on the one that the reviewer's suggestion makes of it."""

MOST_SWEEPS = 4
SECONDS_BETWEEN_SWEEPS = 900


@dataclass(frozen=True)
class Trial:
    """What came of one round: the calls it made, the faults it met, whether it pushed all, and what should not be.

    ``reason`` is what the round's record gives for a failure.
    """

    places: Sequence[Place]
    met: Sequence[Fault]
    pushed: bool
    reason: str | None
    complaints: Sequence[str]


@dataclass(frozen=True)
class Stand:
    """An assembly under watch, on which one trial of a course is held after another."""

    assembly: LocalAssembly
    watch: Watch
    course: Course

    def hold(self, *plan: Fault, gates: GateSettings = GATES) -> Trial:
        """Play a round under a plan, let the system recover as the deployed one would, and judge what it left."""
        story = Story.begin(self.assembly, gates=gates)
        self.course.prepare(story)
        with self.watch.following(plan):
            story.request_changes()
            story.finish()
            for _ in range(MOST_SWEEPS):
                self.assembly.clock.advance(SECONDS_BETWEEN_SWEEPS)
                self.assembly.sweep()
                story.finish()
                if not complaints(story, self.course):
                    break
        reason = next((row.get("reason") for row in story.rows("FIRE#")), None)
        pushed = len(story.commits()) == len(self.course.pushes)
        places = self.course.hurt(self.watch.places)
        return Trial(places, self.watch.met, pushed, reason, complaints(story, self.course))


@contextmanager
def stand(root: Path, course: Course = FIX) -> Iterator[Stand]:
    """Put up an assembly under watch; its stream moves only when a trial moves it, so that calls come in one order."""
    command = RepairingAgent.install(root).command if course is FOLLOW_UP else ()
    with (
        LocalAssembly(root, task=warm_task(), pump_in_background=False, agent_command=command) as assembly,
        Watch(assembly).installed() as watch,
    ):
        yield Stand(assembly, watch, course)
