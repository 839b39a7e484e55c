"""Comments, found and made."""

import json
from datetime import datetime, timedelta, timezone

import httpx
import pytest

from autoswe.ports.github import Refused
from autoswe.rules.github.facts import PostedComment
from tests.adapters.github.scripted import Script, ok, told

DISCUSSION = "/repos/octo/widgets/issues/7/comments"
INLINE = "/repos/octo/widgets/pulls/7/comments"


def test_discussion_comments_ascend_and_keep_who_wrote_them(script: Script) -> None:
    script.on(
        f"GET {DISCUSSION}",
        ok([{"id": 12, "user": None, "body": None}, {"id": 11, "user": {"id": 5}, "body": "first"}]),
    )
    assert script.github().report_host("octo/widgets").comments(7) == (
        PostedComment(11, 5, "first"),
        PostedComment(12, None, ""),
    )


SINCE = datetime(2026, 3, 2, 11, 0, 7, 500_000, tzinfo=timezone(timedelta(hours=1)))


def test_inline_comments_since_a_moment_name_what_they_reply_to(script: Script) -> None:
    script.on(
        f"GET {INLINE}",
        ok([{"id": 1, "user": {"id": 5}, "body": "a"}, {"id": 2, "user": {"id": 6}, "body": "b", "in_reply_to_id": 1}]),
    )
    assert script.github().report_host("octo/widgets").replies(7, SINCE) == (
        PostedComment(1, 5, "a"),
        PostedComment(2, 6, "b", reply_to=1),
    )
    [asked] = script.sent(f"GET {INLINE}")
    assert asked.url.params["since"] == "2026-03-02T10:00:07Z"


@pytest.mark.parametrize("body", ["hello", 'ünï\n```\n\u2028 \\ "quoted"', "😀"])
def test_a_comment_is_posted_word_for_word(script: Script, body: str) -> None:
    script.on(f"POST {DISCUSSION}", httpx.Response(201, json={"id": 9, "user": {"id": 1200}, "body": "kept"}))
    assert script.github().report_host("octo/widgets").comment(7, body) == PostedComment(9, 1200, "kept")
    assert json.loads(script.sent(f"POST {DISCUSSION}")[0].content) == {"body": body}


def test_a_comment_is_edited_in_place(script: Script) -> None:
    script.on("PATCH /repos/octo/widgets/issues/comments/9", ok({"id": 9, "user": {"id": 1200}, "body": "new"}))
    script.github().report_host("octo/widgets").edit(9, "new")
    assert len(script.requests) == 2


def test_a_reply_goes_to_the_comment_that_opened_the_thread(script: Script) -> None:
    script.on(
        f"POST {INLINE}/1/replies",
        httpx.Response(201, json={"id": 3, "user": {"id": 1200}, "body": "done", "in_reply_to_id": 1}),
    )
    made = script.github().report_host("octo/widgets").reply(7, 1, "done")
    assert made == PostedComment(3, 1200, "done", reply_to=1)


def test_a_reply_to_a_reply_is_refused(script: Script) -> None:
    script.on(f"POST {INLINE}/2/replies", told(422, "Validation Failed"))
    with pytest.raises(Refused):
        script.github().report_host("octo/widgets").reply(7, 2, "done")
