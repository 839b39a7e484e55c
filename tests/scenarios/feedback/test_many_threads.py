"""A pull request with more review than a round takes in: what is read and told, and what it costs (feedback §4)."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from infra.local.assembly import LocalAssembly
from infra.local.github_host.http.calls import Call
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import FLAWED, Story
from tests.support.containers.warm import warm_task

THREADS = 101
COMMENTS = 51
WORDY_THREADS = 12
MOST_THREADS, MOST_COMMENTS = 100, 50
BRIEF_CHARACTERS = 40_000
COMMENT_CHARACTERS = 4_000
GITHUB_COMMENT_CHARACTERS = 65_536
ROOM_FOR_FENCES = 200
"""More than what a label and a fence add to one block."""

A_DAY = 24 * 60 * 60
BEYOND = "beyond"


def _converse(story: Story, threads: int, comments: int, body: str, *, long: int | None = None) -> None:
    """Open threads in which the reviewer says ``body`` again and again, and a stranger says something in second place.

    Only the first ``long`` threads have so many comments, if that is told, and all others two. The last comment of each
    of the long ones, and every comment of the last thread, says that it is beyond the bound. All that was a day ago.
    """
    lines = len(FLAWED.splitlines())
    openers = [body] * (threads - 1) + [BEYOND]
    remarks = [InlineComment("total.py", number % lines + 1, opener) for number, opener in enumerate(openers)]
    heard, story.site.app.events = story.site.app.events, ()
    story.pull.review(story.reviewer, "comment", "", remarks)
    for number, (thread, opener) in enumerate(zip(story.pull.threads, openers, strict=True)):
        thread.reply(story.stranger, "strange")
        if number < (threads if long is None else long):
            for _ in range(comments - 3):
                thread.reply(story.reviewer, opener)
            thread.reply(story.reviewer, BEYOND)
    story.site.app.events = heard
    story.assembly.clock.advance(A_DAY)


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with LocalAssembly(tmp_path_factory.mktemp("assembly"), task=warm_task()) as running:
        yield running


class Played(NamedTuple):
    """A round on 101 threads, of which so many, and not the last, have 51 comments, and what the host was asked."""

    story: Story
    long: int
    calls: tuple[Call, ...]


ALL_LONG = pytest.param(
    THREADS, id="all long", marks=pytest.mark.soak(reason="5,151 comments are read in as few calls as 300")
)


@pytest.fixture(scope="module", params=[pytest.param(2, id="two long"), ALL_LONG])
def played(request: pytest.FixtureRequest, assembly: LocalAssembly) -> Played:
    story = Story.begin(assembly)
    story.settle_ci("success")
    _converse(story, THREADS, COMMENTS, "hm", long=request.param)
    lengths = [COMMENTS] * request.param + [2] * (THREADS - request.param)
    assert [len(thread.comments) for thread in story.pull.threads] == lengths
    story.site.host.calls.clear()
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    return Played(story, request.param, tuple(story.site.host.calls))


@pytest.fixture
def crowded(played: Played) -> Story:
    return played.story


@pytest.fixture(scope="module")
def wordy(assembly: LocalAssembly) -> Story:
    """Threads whose comments are longer than a comment may be in the brief, and together longer than the brief."""
    story = Story.begin(assembly)
    story.settle_ci("success")
    _converse(story, WORDY_THREADS, 3, "long " * 2_000)
    story.pull.comment(story.reviewer, "/auto-swe fix\n\n" + "notes " * 2_000)
    story.finish()
    return story


def test_the_first_hundred_threads_and_fifty_comments_of_each_are_read_and_no_more(played: Played) -> None:
    brief = played.story.brief()
    assert [thread.label for thread in brief.threads] == [f"T{number}" for number in range(1, MOST_THREADS + 1)]
    heard = [thread.text.count("hm") for thread in brief.threads]
    long = min(played.long, MOST_THREADS)
    assert heard == [MOST_COMMENTS - 1] * long + [1] * (MOST_THREADS - long)
    assert not any(BEYOND in thread.text for thread in brief.threads)


def test_a_strangers_comment_in_each_thread_is_dropped_and_counted(crowded: Story) -> None:
    gathered = crowded.executions()[0].output["gather"]["value"]
    assert gathered["dropped_comments"] == MOST_THREADS
    assert gathered["screened_comments"] == 0
    assert not any("strange" in thread.text for thread in crowded.brief().threads)


def test_each_thread_that_was_read_is_answered_once_though_github_takes_fewer_comments_a_minute(
    crowded: Story,
) -> None:
    assert crowded.site.host.limits.content_per_minute < MOST_THREADS
    assert [len(replies) for replies in crowded.replies()] == [1] * MOST_THREADS + [0]
    assert len(crowded.summaries()) == 1
    assert crowded.fire_outcomes() == ["succeeded"]


def test_no_comment_of_ours_is_longer_than_github_takes(crowded: Story, wordy: Story) -> None:
    for story in (crowded, wordy):
        [summary] = story.summaries()
        replies = [reply for thread in story.replies() for reply in thread]
        assert max(len(comment.body) for comment in (summary, *replies)) <= GITHUB_COMMENT_CHARACTERS


def test_all_threads_are_read_in_one_call_and_each_author_is_looked_up_once(
    played: Played,
) -> None:
    calls = played.calls
    asked = [call.operation for call in calls]
    # On a machine that is busy with other things the host may answer after nobody waits any more, and is asked again.
    last_gathering = len(asked) - asked[::-1].index("graphql PullState")
    made = Counter(asked[last_gathering:])
    assert made["graphql ReviewThreads"] <= 3
    assert made["GET /repos/{owner}/{repo}/collaborators/{username}/permission"] == 1
    posted = "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies"
    assert len([call for call in calls if call.operation == posted and call.status == 201]) == MOST_THREADS
    # Beside the answers themselves a round of a hundred threads asks no more than one of two does.
    assert made.total() - made[posted] < 60


def test_each_comment_and_the_whole_brief_are_bounded(wordy: Story) -> None:
    brief = wordy.brief()
    assert len(brief.trigger_notes or "") <= COMMENT_CHARACTERS + ROOM_FOR_FENCES
    assert brief.threads
    assert max(len(thread.text) for thread in brief.threads) <= 3 * COMMENT_CHARACTERS + ROOM_FOR_FENCES
    told = len(brief.trigger_notes or "") + sum(len(thread.text) for thread in brief.threads)
    assert BRIEF_CHARACTERS - 3 * COMMENT_CHARACTERS < told <= BRIEF_CHARACTERS + ROOM_FOR_FENCES


def test_a_thread_that_alone_exceeds_the_brief_does_not_end_the_round(assembly: LocalAssembly) -> None:
    story = Story.begin(assembly)
    story.settle_ci("success")
    _converse(story, 2, COMMENTS, "long " * 200)
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    told = story.brief().threads
    assert told
    assert sum(len(thread.text) for thread in told) <= BRIEF_CHARACTERS + ROOM_FOR_FENCES
