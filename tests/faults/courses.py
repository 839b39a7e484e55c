"""The courses that a round can take in the matrix, and what each must come to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.places import Place
from tests.scenarios.story import FIXED, Story
from tests.support.feedback.repairing_agent import DOCUMENTED, want_documentation

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Course:
    """One way that a round goes when nothing fails.

    ``pushes`` is what the pushed file is after each commit of ours, oldest first; ``certain`` of them stand whatever
    fails in the part that is hurt, which begins with the first call of the state ``begins`` (none: with the first call
    of all). ``calls`` lists that part's calls.
    """

    name: str
    pushes: tuple[str, ...]
    certain: int
    begins: str | None
    calls: Path

    def prepare(self, story: Story) -> None:
        """Let CI end on each commit of ours as this course has it."""
        if self is FOLLOW_UP:
            want_documentation(story.repository)
        else:
            story.settle_ci("success")

    def hurt(self, places: Sequence[Place]) -> list[Place]:
        """Pick the part of a round's calls that faults may meet."""
        begun = next((index for index, place in enumerate(places) if place.caller == self.begins), 0)
        return list(places[begun:])


FIX = Course("fix", (FIXED,), certain=0, begins=None, calls=_HERE / "calls.txt")
FOLLOW_UP = Course(
    "follow-up",
    (FIXED, DOCUMENTED + FIXED),
    certain=1,
    begins="Poll CI",
    calls=_HERE / "follow_up_calls.txt",
)
COURSES = {course.name: course for course in (FIX, FOLLOW_UP)}
