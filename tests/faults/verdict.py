"""What must hold once a round is over, whatever failed on the way: judged from the host and the table alone."""

from collections.abc import Iterator

from tests.scenarios.story import FIXED, Story

_REFUSED = ("could not be completed", "did not allow it")


def complaints(story: Story) -> list[str]:
    """Say in one sentence each what is not as it must be; nothing, when all is well."""
    return [*_about_branches(story), *_about_records(story), *_about_comments(story)]


def _about_branches(story: Story) -> Iterator[str]:
    commits = story.commits()
    if len(commits) > 1:
        yield f"the branch got {len(commits)} commits"
    for commit in commits:
        if story.repository.read(commit, "total.py").decode() != FIXED:
            yield "the pushed file is not what the reviewer suggested"
    if story.has_work_branch():
        yield "the work branch was left behind"


def _about_records(story: Story) -> Iterator[str]:
    if not story.slot_is_free():
        yield "the pull request is still held"
    outcome = "succeeded" if story.commits() else "failed"
    if story.fire_outcomes() != [outcome]:
        yield f"the round's outcome is {story.fire_outcomes()} where it must be {outcome}"
    names = [execution.name for execution in story.executions()]
    if len(names) != 1:
        yield f"the decision was started {len(names)} times"


def _about_comments(story: Story) -> Iterator[str]:
    summaries = story.summaries()
    if len(summaries) != 1:
        yield f"there are {len(summaries)} summaries"
    replies = [len(thread) for thread in story.replies()]
    if story.commits() and replies != [1, 1]:
        yield f"the threads got {replies} replies"
    if not story.commits():
        if any(replies):
            yield f"nothing was pushed, and the threads got {replies} replies"
        if not any(sentence in summary.body for summary in summaries for sentence in _REFUSED):
            yield "nothing was pushed, and no summary says so"
