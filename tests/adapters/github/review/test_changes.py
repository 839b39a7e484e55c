"""What a pull request changes, and what its files hold on either side."""

import base64

import pytest

from autoswe.github.git.source import blob_id
from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import CommitRow
from autoswe.rules.review.diff.changed_files import ChangedFile, Side
from autoswe.rules.review.pulls.candidate import Diff
from tests.adapters.github.scripted import BASE, HEAD, Script, ok

FILES = "GET /repos/octo/widgets/pulls/7/files"
COMMITS = "GET /repos/octo/widgets/pulls/7/commits"
TREE = f"GET /repos/octo/widgets/git/trees/{HEAD}"
FILE = {"filename": "a.txt", "status": "modified", "additions": 1, "deletions": 2, "patch": "@@ -1 +1 @@\n-ä\n+b"}
COMMIT = {
    "sha": HEAD,
    "commit": {"message": "Change", "verification": {"verified": True}},
    "author": {"login": "alice", "id": 5},
}
MORE = '<https://api.github.test/repositories/1/pulls/7/files?page=2>; rel="next"'


def _end_at(script: Script, head: str, base: str) -> None:
    ends = {"headRefOid": head, "baseRefOid": base}
    script.on("POST /graphql", ok({"data": {"repository": {"pullRequest": ends}}}))


def test_changed_files_come_whole_with_the_bytes_of_their_patches(script: Script) -> None:
    renamed = {
        "filename": "b",
        "status": "renamed",
        "additions": 0,
        "deletions": 0,
        "previous_filename": "a",
    }
    script.on(FILES, ok([FILE, renamed]))
    _end_at(script, HEAD, BASE)
    found = script.github().scan_host().changes("octo/widgets", 7)
    assert found.files == (
        ChangedFile("a.txt", "modified", 1, 2, "@@ -1 +1 @@\n-ä\n+b"),
        ChangedFile("b", "renamed", 0, 0, None, previous_path="a"),
    )
    # Seventeen characters, of which the umlaut has two bytes.
    assert found.diff == Diff(files=2, patch_bytes=18, head_sha=HEAD, base_sha=BASE)


def test_head_and_base_are_read_after_the_last_file(script: Script) -> None:
    script.on(FILES, ok([FILE] * 100, Link=MORE))
    script.on("GET /repositories/1/pulls/7/files", ok([FILE]))
    _end_at(script, "c" * 40, "d" * 40)
    diff = script.github().scan_host().changes("octo/widgets", 7).diff
    assert (diff.files, diff.head_sha, diff.base_sha) == (101, "c" * 40, "d" * 40)
    assert [request.url.path for request in script.requests[1:]] == [
        "/repos/octo/widgets/pulls/7/files",
        "/repositories/1/pulls/7/files",
        "/graphql",
    ]


def test_files_beyond_the_most_that_are_reviewed_are_not_read(script: Script) -> None:
    following = '<https://api.github.test/repos/octo/widgets/pulls/7/files?page=2>; rel="next"'
    script.on(FILES, ok([FILE] * 100, Link=following))
    _end_at(script, HEAD, BASE)
    assert script.github().scan_host().changes("octo/widgets", 7).diff.files == 300
    assert len(script.sent(FILES)) == 3


@pytest.mark.parametrize("missing", ["filename", "status", "additions", "deletions"])
def test_a_file_that_is_not_described_is_partial(script: Script, missing: str) -> None:
    script.on(FILES, ok([{key: value for key, value in FILE.items() if key != missing}]))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().changes("octo/widgets", 7)


def test_commits_come_with_what_the_host_thinks_of_their_signatures(script: Script) -> None:
    unsigned = {"sha": BASE, "commit": {"message": "m", "verification": {"verified": False}}, "author": None}
    unknown = {"sha": BASE, "commit": {"message": "m"}, "author": {}}
    script.on(COMMITS, ok([COMMIT, unsigned, unknown]))
    assert script.github().scan_host().commits("octo/widgets", 7) == (
        CommitRow(HEAD, "Change", verified=True, author="alice"),
        CommitRow(BASE, "m", verified=False, author=None),
        CommitRow(BASE, "m", verified=False, author=None),
    )


@pytest.mark.parametrize(("count", "whole"), [(249, True), (250, False)])
def test_as_many_commits_as_the_host_ever_lists_may_not_be_all(script: Script, count: int, whole: bool) -> None:
    script.on(COMMITS, ok([COMMIT] * count))
    host = script.github().scan_host()
    if whole:
        assert len(host.commits("octo/widgets", 7)) == count
    else:
        with pytest.raises(PartialAnswer):
            host.commits("octo/widgets", 7)


def _hold(script: Script, content: bytes, mode: str = "100644", size: int | None = None) -> None:
    sha = blob_id(content)
    entry = {"path": "a", "mode": mode, "type": "blob", "sha": sha, "size": len(content) if size is None else size}
    submodule = {"path": "sub", "mode": "160000", "type": "commit", "sha": BASE}
    script.on(TREE, ok({"sha": HEAD, "tree": [entry, submodule], "truncated": False}))
    told = {"content": base64.b64encode(content).decode(), "encoding": "base64", "size": len(content)}
    script.on(f"GET /repos/octo/widgets/git/blobs/{sha}", ok(told))


@pytest.mark.parametrize(
    ("content", "mode", "text"),
    [
        (b"text\r\n", "100644", "text\r\n"),
        (b"#!/bin/sh", "100755", "#!/bin/sh"),
        (b"../target", "120000", "../target"),
        (b"", "100644", ""),
        (b"\xff\xfe", "100644", None),
        (b"x" * (1 << 20), "100644", "x" * (1 << 20)),
        (b"x" * ((1 << 20) + 1), "100644", None),
    ],
)
def test_a_file_is_read_with_its_mode_and_its_text_where_it_has_one(
    script: Script, content: bytes, mode: str, text: str | None
) -> None:
    _hold(script, content, mode)
    assert script.github().scan_host().file_at("octo/widgets", HEAD, "a") == Side(mode, text)


def test_what_a_commit_does_not_hold_is_absent_and_a_submodule_has_no_text(script: Script) -> None:
    _hold(script, b"text")
    host = script.github().scan_host()
    assert host.file_at("octo/widgets", HEAD, "b") is None
    assert host.file_at("octo/widgets", HEAD, "sub") == Side("160000", None)


def test_the_mode_alone_is_told_without_reading_the_content(script: Script) -> None:
    _hold(script, b"text", "100755")
    host = script.github().scan_host()
    assert host.file_at("octo/widgets", HEAD, "a", with_text=False) == Side("100755", None)
    assert script.sent(f"GET /repos/octo/widgets/git/blobs/{blob_id(b'text')}") == []


def test_other_content_than_the_tree_names_is_never_taken_for_the_file(script: Script) -> None:
    _hold(script, b"text")
    other = {"content": base64.b64encode(b"evil").decode(), "encoding": "base64", "size": 4}
    script.on(f"GET /repos/octo/widgets/git/blobs/{blob_id(b'text')}", ok(other))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().file_at("octo/widgets", HEAD, "a")


def test_a_tree_that_is_cut_short_is_partial(script: Script) -> None:
    script.on(TREE, ok({"sha": HEAD, "tree": [], "truncated": True}))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().file_at("octo/widgets", HEAD, "a")


def test_the_trees_of_both_sides_are_read_once(script: Script) -> None:
    _hold(script, b"text")
    other = f"GET /repos/octo/widgets/git/trees/{BASE}"
    script.on(other, ok({"sha": BASE, "tree": [], "truncated": False}))
    host = script.github().scan_host()
    for path in ("a", "b"):
        for sha in (HEAD, BASE):
            host.file_at("octo/widgets", sha, path)
    assert (len(script.sent(TREE)), len(script.sent(other))) == (1, 1)
