"""What must hold once a round is over, whatever failed on the way: judged from the host and the table alone."""

from collections.abc import Iterator

from tests.faults.courses import Course
from tests.scenarios.story import Story

_REFUSED = ("could not be completed", "did not allow it")


def complaints(story: Story, course: Course) -> list[str]:
    """Say in one sentence each what is not as it must be; nothing, when all is well."""
    return [*_about_branches(story, course), *_about_records(story, course), *_about_comments(story, course)]


def _about_branches(story: Story, course: Course) -> Iterator[str]:
    pushed = tuple(story.repository.read(commit, "total.py").decode() for commit in reversed(story.commits()))
    if len(pushed) < course.certain or pushed != course.pushes[: len(pushed)]:
        yield f"the branch got {len(pushed)} commits, or others than those of this course"
    if story.has_work_branch():
        yield "the work branch was left behind"


def _about_records(story: Story, course: Course) -> Iterator[str]:
    if not story.slot_is_free():
        yield "the pull request is still held"
    outcome = "succeeded" if _pushed_all(story, course) else "failed"
    if story.fire_outcomes() != [outcome]:
        yield f"the round's outcome is {story.fire_outcomes()} where it must be {outcome}"
    names = [execution.name for execution in story.executions()]
    if len(names) != 1:
        yield f"the decision was started {len(names)} times"


def _about_comments(story: Story, course: Course) -> Iterator[str]:
    summaries = story.summaries()
    if len(summaries) != 1:
        yield f"there are {len(summaries)} summaries"
    replies = [len(thread) for thread in story.replies()]
    if story.commits() and replies != [1, 1]:
        yield f"the threads got {replies} replies"
    if not story.commits() and any(replies):
        yield f"nothing was pushed, and the threads got {replies} replies"
    told = any(sentence in summary.body for summary in summaries for sentence in _REFUSED)
    if told is _pushed_all(story, course):
        yield "the summary does not say whether all was pushed"


def _pushed_all(story: Story, course: Course) -> bool:
    return len(story.commits()) == len(course.pushes)
