"""How requests are addressed, paged and followed."""

import json
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.github.transport.api import address
from autoswe.ports.github import Forbidden, Gone, HostError, PartialAnswer, RateLimited, Refused, Unavailable
from tests.adapters.github.scripted import API, HEAD, TOKEN, TRIGGER, TRIGGER_NODE, Script, ok, read_repository, told

COMMENTS = "GET /repos/octo/widgets/issues/7/comments"
TARBALL = "GET /repos/octo/widgets/tarball/main"
ARCHIVE = "GET https://codeload.test/octo/widgets"
SIGNED = "https://codeload.test/octo/widgets?token=signed"
GRAPHQL = "POST /graphql"


def _comment(number: int) -> dict[str, object]:
    return {"id": number, "user": {"id": 5}, "body": f"text {number}"}


def _page(*numbers: int, following: str | None = None) -> httpx.Response:
    link = {"link": f'<{following}>; rel="next", <{API}/x?page=9>; rel="last"'} if following else {}
    return httpx.Response(200, json=[_comment(number) for number in numbers], headers=link)


class TestAddresses:
    @pytest.mark.parametrize(
        ("name", "encoded"),
        [
            ("heads/main", "heads%2Fmain"),
            ("feature/a#b", "feature%2Fa%23b"),
            ("a b", "a%20b"),
            ("x[bot]", "x%5Bbot%5D"),
            ("50%", "50%25"),
            ("a?b", "a%3Fb"),
            ("ä", "%C3%A4"),
            (7, "7"),
        ],
    )
    def test_a_segment_is_encoded_whole(self, name: str | int, encoded: str) -> None:
        assert address(f"{API}/", "git", name) == f"{API}/git/{encoded}"

    @given(st.lists(st.text(min_size=1).filter(lambda text: text not in {".", ".."}), min_size=1))
    def test_no_name_changes_which_resource_is_asked_for(self, segments: list[str]) -> None:
        url = httpx.URL(address(API, *segments))
        sent = url.raw_path.decode().split("/")[1:]
        assert [unquote(part) for part in sent] == segments
        assert (url.host, url.query, url.fragment) == ("api.github.test", b"", "")

    @pytest.mark.parametrize("segment", ["", ".", ".."])
    def test_a_segment_that_leads_elsewhere_is_refused(self, segment: str) -> None:
        with pytest.raises(ValueError, match="segment"):
            address(API, "repos", segment)

    @pytest.mark.parametrize("name", ["widgets", "octo/widgets/x", "/widgets", "octo/", "../widgets"])
    def test_a_repository_is_named_in_full(self, script: Script, name: str) -> None:
        with pytest.raises(ValueError, match=r"repository|segment"):
            script.github().gather_host(name)

    def test_a_branch_with_slash_hash_and_space_is_one_name(self, script: Script) -> None:
        script.on(
            "GET /repos/octo/widgets/git/ref/heads%2Ffix%2Fissue%20%231",
            ok({"ref": "refs/heads/fix/issue #1", "object": {"type": "commit", "sha": "c" * 40}}),
        )
        assert script.github().gather_host("octo/widgets").ref("heads/fix/issue #1") == "c" * 40


class TestPaging:
    def test_a_list_is_read_to_its_last_page(self, script: Script) -> None:
        script.on(COMMENTS, _page(1, 2, following=f"{API}/repos/octo/widgets/issues/7/comments?page=2"), _page(3))
        found = script.github().report_host("octo/widgets").comments(7)
        assert [comment.comment_id for comment in found] == [1, 2, 3]
        assert [request.url.params.get("per_page") for request in script.sent(COMMENTS)] == ["100", None]

    def test_a_missing_page_is_no_shorter_list(self, script: Script) -> None:
        script.on(
            COMMENTS,
            _page(1, following=f"{API}/repos/octo/widgets/issues/7/comments?page=2"),
            told(404, "Not Found"),
        )
        with pytest.raises(Gone):
            script.github().report_host("octo/widgets").comments(7)

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://evil.test/repos/octo/widgets/issues/7/comments?page=2",
            "http://api.github.test/repos/octo/widgets/issues/7/comments?page=2",
            "https://api.github.test:444/repos?page=2",
            "https://api.github.test.evil.test/?page=2",
            "https://api.github.test@evil.test/?page=2",
            "/repos/octo/widgets/issues/7/comments?page=2",
        ],
    )
    def test_a_page_off_the_api_is_not_followed(self, script: Script, elsewhere: str) -> None:
        script.on(COMMENTS, _page(1, following=elsewhere))
        with pytest.raises(PartialAnswer, match="not on this API"):
            script.github().report_host("octo/widgets").comments(7)
        assert len(script.sent(COMMENTS)) == 1

    def test_a_list_without_an_end_is_given_up(self, script: Script) -> None:
        script.on(COMMENTS, _page(1, following=f"{API}/repos/octo/widgets/issues/7/comments?page=2"))
        with pytest.raises(PartialAnswer, match="50 pages"):
            script.github().report_host("octo/widgets").comments(7)

    def test_an_address_that_is_none_is_a_partial_answer(self, script: Script) -> None:
        script.on(COMMENTS, _page(1, following=f"{API}/\x7f"))
        with pytest.raises(PartialAnswer):
            script.github().report_host("octo/widgets").comments(7)


class TestUnreadableAnswers:
    @pytest.mark.parametrize(
        ("content", "place"),
        [
            (b"", "the whole answer"),
            (b"<html>", "the whole answer"),
            (b"[]", "the whole answer"),
            (b'{"id": 1', "the whole answer"),
            (b'{"id": "1", "node_id": "R", "full_name": "o/r", "default_branch": "main", "archived": false}', "id"),
            (
                b'{"id": 1, "node_id": "R", "full_name": "o/r", "default_branch": null, "archived": false}',
                "default_branch",
            ),
            (b'{"id": 1, "node_id": "R", "full_name": "o/r", "default_branch": "main"}', "archived"),
            (b'{"id": 1, "node_id": "R", "full_name": "o/r", "default_branch": "main", "archived": 0}', "archived"),
        ],
    )
    def test_what_cannot_be_understood_is_a_partial_answer_that_names_the_place(
        self, script: Script, content: bytes, place: str
    ) -> None:
        script.on("GET /repos/octo/widgets", httpx.Response(200, content=content))
        with pytest.raises(PartialAnswer, match=f"GET /repos/octo/widgets: {place}: "):
            read_repository(script.github().gather_host("octo/widgets"))


class TestGraphql:
    @pytest.mark.parametrize(
        ("errors", "expected"),
        [
            ([{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}], Forbidden),
            ([{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}], RateLimited),
            ([{"message": "You have exceeded a secondary rate limit"}], RateLimited),
            ([{"type": "NOT_FOUND", "message": "x"}, {"type": "FORBIDDEN", "message": "y"}], Forbidden),
            ([{"type": "NOT_FOUND", "message": "x"}, {"message": "y"}], PartialAnswer),
            ([{"message": "Something went wrong while executing your query"}], PartialAnswer),
            ([{"type": "NEVER_HEARD", "message": "x"}], PartialAnswer),
            ([], PartialAnswer),
            ([{"type": "FORBIDDEN"}], PartialAnswer),
            ("oops", PartialAnswer),
        ],
    )
    def test_a_whole_answer_comes_without_errors(
        self, script: Script, errors: object, expected: type[HostError]
    ) -> None:
        threads = {"pageInfo": {"hasNextPage": False}, "nodes": []}
        data = {"repository": {"pullRequest": {"reviewThreads": threads}}, "node": TRIGGER_NODE}
        script.on(GRAPHQL, ok({"data": data, "errors": errors}))
        with pytest.raises(HostError) as raised:
            script.github().gather_host("octo/widgets").feedback(7, TRIGGER)
        assert type(raised.value) is expected
        script.on(GRAPHQL, ok({"data": data}))
        assert script.github().gather_host("octo/widgets").feedback(7, TRIGGER).threads == ()

    def test_what_the_errors_say_only_that_it_does_not_exist_is_gone(self, script: Script) -> None:
        errors = [{"type": "NOT_FOUND", "message": "Could not resolve to a Repository"}]
        script.on(GRAPHQL, ok({"data": {"repository": None}, "errors": errors}))
        with pytest.raises(Gone):
            script.github().check_host("octo/widgets").ci(7, HEAD, HEAD)

    def test_a_query_is_a_read_and_repeated_like_one(self, script: Script) -> None:
        threads = {"pageInfo": {"hasNextPage": False}, "nodes": []}
        whole = ok({"data": {"repository": {"pullRequest": {"reviewThreads": threads}}, "node": TRIGGER_NODE}})
        script.on(GRAPHQL, told(502, "Bad Gateway"), whole)
        assert script.github().gather_host("octo/widgets").feedback(7, TRIGGER).threads == ()
        sent = json.loads(script.sent(GRAPHQL)[-1].content)
        assert sent["variables"] == {"owner": "octo", "name": "widgets", "number": 7, "text": "IC_11"}

    def test_an_exhausted_quota_beside_an_unclear_error_does_not_say_that_nothing_happened(
        self, script: Script
    ) -> None:
        script.on(
            GRAPHQL,
            httpx.Response(
                200,
                json={"data": None, "errors": [{"message": "Something went wrong"}]},
                headers={"x-ratelimit-remaining": "0"},
            ),
        )
        with pytest.raises(Unavailable):
            script.github().push_host("octo/widgets").move_ref("R_1", "heads/main", "a" * 40, "b" * 40)

    @pytest.mark.parametrize(
        ("reply", "expected"),
        [
            (ok({"data": None, "errors": [{"type": "UNPROCESSABLE", "message": "not a fast forward"}]}), Refused),
            (ok({"data": None, "errors": [{"type": "STALE_DATA", "message": "expected"}]}), Refused),
            (ok({"data": None, "errors": [{"type": "FORBIDDEN", "message": "no"}]}), Forbidden),
            (ok({"data": None, "errors": [{"type": "NOT_FOUND", "message": "no"}]}), Gone),
            (ok({"data": None, "errors": [{"type": "RATE_LIMITED", "message": "no"}]}), RateLimited),
            (ok({"data": None, "errors": [{"message": "Something went wrong"}]}), Unavailable),
            (ok({"data": None, "errors": [{"type": "NEVER_HEARD", "message": "x"}]}), Unavailable),
            (ok({"data": None, "errors": []}), Unavailable),
            (ok({"data": {"updateRefs": None}}), Unavailable),
            (ok({"data": None}), Unavailable),
            (httpx.Response(200, content=b"<html>"), Unavailable),
            (told(502, "Bad Gateway"), Unavailable),
            (httpx.ReadTimeout("slow"), Unavailable),
        ],
    )
    def test_a_mutation_is_sent_once_and_only_known_rejections_mean_that_nothing_happened(
        self, script: Script, reply: httpx.Response | Exception, expected: type[HostError]
    ) -> None:
        script.on(GRAPHQL, reply)
        with pytest.raises(HostError) as raised:
            script.github().push_host("octo/widgets").move_ref("R_1", "heads/main", "a" * 40, "b" * 40)
        assert type(raised.value) is expected
        assert len(script.sent(GRAPHQL)) == 1


class TestDownloads:
    def test_the_redirection_is_followed_without_the_credential(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": SIGNED}))
        script.on(ARCHIVE, httpx.Response(200, content=b"archive"))
        file = BytesIO(b"something longer from before")
        script.github().gather_host("octo/widgets").archive("main", file, 7)
        assert file.getvalue() == b"archive"
        assert script.sent(TARBALL)[0].headers["authorization"] == f"Bearer {TOKEN}"
        assert "authorization" not in script.sent(ARCHIVE)[0].headers

    def test_even_an_address_on_the_api_itself_gets_no_credential(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": f"{API}/codeload?token=signed"}))
        script.on("GET /codeload", httpx.Response(200, content=b"archive"))
        script.github().gather_host("octo/widgets").archive("main", BytesIO(), 100)
        assert "authorization" not in script.sent("GET /codeload")[0].headers

    def test_a_second_redirection_is_not_followed(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": SIGNED}))
        script.on(ARCHIVE, httpx.Response(302, headers={"location": "https://third.test/"}))
        with pytest.raises(Gone):
            script.github().gather_host("octo/widgets").archive("main", BytesIO(), 100)
        assert len(script.requests) == 3

    @pytest.mark.parametrize("location", ["http://codeload.test/x", "file:///etc/passwd", "/relative", ""])
    def test_an_address_of_another_kind_is_not_followed(self, script: Script, location: str) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": location}))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").archive("main", BytesIO(), 100)

    def test_anything_but_a_redirection_is_a_partial_answer(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(200, content=b"archive"))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").archive("main", BytesIO(), 100)

    def test_an_archive_above_the_cap_is_refused(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": SIGNED}))
        script.on(ARCHIVE, httpx.Response(200, content=b"archive"))
        file = BytesIO()
        with pytest.raises(Refused, match="larger than 6 bytes"):
            script.github().gather_host("octo/widgets").archive("main", file, 6)
        assert len(file.getvalue()) <= 6

    def test_a_download_that_breaks_off_starts_anew(self, script: Script) -> None:
        def cut(_: httpx.Request) -> httpx.Response:
            def chunks() -> Iterator[bytes]:
                yield b"half of "
                raise httpx.ReadError("cut")

            return httpx.Response(200, content=chunks())

        script.on(TARBALL, httpx.Response(302, headers={"location": SIGNED}))
        script.on(ARCHIVE, cut, httpx.Response(200, content=b"archive"))
        file = BytesIO()
        script.github().gather_host("octo/widgets").archive("main", file, 100)
        assert file.getvalue() == b"archive"

    def test_bytes_are_stored_as_they_were_sent(self, script: Script) -> None:
        script.on(TARBALL, httpx.Response(302, headers={"location": SIGNED}))
        script.on(
            ARCHIVE,
            lambda _: httpx.Response(
                200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"\x1f\x8b as sent")
            ),
        )
        file = BytesIO()
        script.github().gather_host("octo/widgets").archive("main", file, 100)
        assert file.getvalue() == b"\x1f\x8b as sent"
        assert script.sent(ARCHIVE)[0].headers["accept-encoding"] == "identity"
