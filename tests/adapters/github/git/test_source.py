"""Trees and blobs."""

import base64
import hashlib
import json

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoswe.ports.github import Gone, PartialAnswer, Refused
from autoswe.rules.github.facts import Tree, TreeEntry
from tests.adapters.github.scripted import BASE, HEAD, Script, ok, told

TREE = f"GET /repos/octo/widgets/git/trees/{HEAD}"


def _git_id(content: bytes) -> str:
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()


def _tree(sha: str) -> str:
    return f"GET /repos/octo/widgets/git/trees/{sha}"


def _file(path: str) -> dict[str, object]:
    return {"path": path, "mode": "100644", "type": "blob", "sha": HEAD, "size": 1}


def _folder(path: str, sha: str) -> dict[str, object]:
    return {"path": path, "mode": "040000", "type": "tree", "sha": sha}


def _blob(of: bytes, **changes: object) -> dict[str, object]:
    return {
        "content": base64.encodebytes(of).decode(),
        "encoding": "base64",
        "size": len(of),
        "sha": _git_id(of),
        **changes,
    }


class TestTrees:
    def test_a_tree_is_read_whole_without_its_directories(self, script: Script) -> None:
        entries = [
            {"path": "src", "mode": "040000", "type": "tree", "sha": BASE},
            {"path": "src/a.py", "mode": "100644", "type": "blob", "sha": HEAD, "size": 3},
            {"path": "vendor", "mode": "160000", "type": "commit", "sha": BASE},
        ]
        script.on(TREE, ok({"sha": BASE, "tree": entries, "truncated": False}))
        assert script.github().gather_host("octo/widgets").tree(HEAD) == Tree(
            BASE, (TreeEntry("src/a.py", "100644", HEAD, 3), TreeEntry("vendor", "160000", BASE, None)), truncated=False
        )
        assert script.sent(TREE)[0].url.params["recursive"] == "1"

    def test_a_tree_that_is_cut_off_is_walked_folder_by_folder(self, script: Script) -> None:
        root, deep, flat = "1" * 40, "2" * 40, "3" * 40
        script.on(TREE, ok({"sha": root, "tree": [], "truncated": True}))
        listed = [_folder("deep", deep), _folder("flat", flat), _file("README.md")]
        script.on(_tree(root), ok({"sha": root, "tree": listed, "truncated": False}))
        cut = {"sha": deep, "tree": [_file("seen.py")], "truncated": True}
        whole = {"sha": deep, "tree": [_file("seen.py"), _folder("in", flat)], "truncated": False}
        script.on(_tree(deep), ok(cut), ok(whole))
        below = {"sha": flat, "tree": [_file("a.py"), _folder("x", BASE), _file("x/b.py")], "truncated": False}
        script.on(_tree(flat), ok(below))
        read = script.github().gather_host("octo/widgets").tree(HEAD)
        assert (read.sha, read.truncated) == (root, False)
        assert sorted(entry.path for entry in read.entries) == sorted(
            ["README.md", "flat/a.py", "flat/x/b.py", "deep/seen.py", "deep/in/a.py", "deep/in/x/b.py"]
        )

    def test_a_folder_whose_own_listing_is_cut_off_leaves_the_tree_truncated(self, script: Script) -> None:
        cut = {"sha": BASE, "tree": [_file("a.py")], "truncated": True}
        script.on(TREE, ok(cut))
        script.on(_tree(BASE), ok(cut))
        assert script.github().gather_host("octo/widgets").tree(HEAD).truncated

    def test_a_tree_of_more_folders_than_are_read_one_by_one_is_truncated(self, script: Script) -> None:
        folders = [_folder(f"f{number}", HEAD) for number in range(500)]
        script.on(TREE, ok({"sha": BASE, "tree": [], "truncated": True}))
        script.on(_tree(BASE), ok({"sha": BASE, "tree": folders, "truncated": False}))
        assert script.github().gather_host("octo/widgets").tree(HEAD).truncated
        assert len(script.sent(TREE)) == 1

    @pytest.mark.parametrize(
        "answer",
        [
            {"sha": BASE, "tree": []},
            {"sha": BASE, "truncated": False},
            {"sha": BASE, "tree": [{"path": "a", "mode": "0644", "type": "blob", "sha": HEAD}], "truncated": False},
            {"sha": BASE, "tree": [{"path": "a", "mode": "100644", "type": "file", "sha": HEAD}], "truncated": False},
            {"sha": BASE, "tree": [{"path": "a", "mode": "100644", "type": "blob", "sha": None}], "truncated": False},
        ],
    )
    def test_what_cannot_be_understood_is_partial(self, script: Script, answer: object) -> None:
        script.on(TREE, ok(answer))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").tree(HEAD)

    def test_a_commit_that_is_not_there_is_gone(self, script: Script) -> None:
        script.on(TREE, told(404, "Not Found"))
        with pytest.raises(Gone):
            script.github().push_host("octo/widgets").tree(HEAD)


class TestBlobs:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
    @given(st.binary(max_size=300))
    def test_a_blob_up_to_the_cap_is_read_whatever_it_holds(self, script: Script, content: bytes) -> None:
        script.on(f"GET /repos/octo/widgets/git/blobs/{_git_id(content)}", ok(_blob(content)))
        host = script.github().gather_host("octo/widgets")
        assert host.blob(_git_id(content), max_bytes=len(content)) == content

    @pytest.mark.parametrize("size", [101, 1 << 20])
    def test_a_blob_above_the_cap_is_refused(self, script: Script, size: int) -> None:
        content = b"x" * size
        script.on(f"GET /repos/octo/widgets/git/blobs/{_git_id(content)}", ok(_blob(content)))
        with pytest.raises(Refused):
            script.github().gather_host("octo/widgets").blob(_git_id(content), max_bytes=100)

    def test_a_large_blob_below_the_cap_fits_with_its_encoding(self, script: Script) -> None:
        content = bytes(range(256)) * 4096
        script.on(f"GET /repos/octo/widgets/git/blobs/{_git_id(content)}", ok(_blob(content)))
        assert script.github().gather_host("octo/widgets").blob(_git_id(content), max_bytes=len(content)) == content

    @pytest.mark.parametrize(
        "answer",
        [
            _blob(b"other"),
            _blob(b"text", content="!"),
            _blob(b"text", encoding="utf-8", content="text"),
            _blob(b"text", content=None),
            _blob(b"text", size=None),
        ],
    )
    def test_content_that_is_not_what_its_id_says_is_partial(self, script: Script, answer: object) -> None:
        script.on(f"GET /repos/octo/widgets/git/blobs/{_git_id(b'text')}", ok(answer))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").blob(_git_id(b"text"), max_bytes=100)

    def test_an_answer_that_is_no_json_is_partial(self, script: Script) -> None:
        script.on(f"GET /repos/octo/widgets/git/blobs/{HEAD}", httpx.Response(200, content=b"text"))
        with pytest.raises(PartialAnswer):
            script.github().push_host("octo/widgets").blob(HEAD, max_bytes=100)


class TestTexts:
    GRAPHQL = "POST /graphql"

    @staticmethod
    def _told(content: bytes, text: str | None = None, **changes: object) -> dict[str, object]:
        known = content.decode() if text is None else text
        return {"oid": _git_id(content), "text": known, "isTruncated": False, **changes}

    def test_many_texts_come_in_one_query_each_checked_against_its_id(self, script: Script) -> None:
        one, other = "Größe\r\n".encode(), b"plain\n"
        repository = {"t0": self._told(one), "t1": self._told(other), "t2": self._told(one)}
        script.on(self.GRAPHQL, ok({"data": {"repository": repository}}))
        shas = [_git_id(one), _git_id(other)]
        assert script.github().gather_host("octo/widgets").texts(shas) == {shas[0]: one, shas[1]: other}
        variables = json.loads(script.sent(self.GRAPHQL)[0].content)["variables"]
        assert [variables["s0"], variables["s1"], variables["s49"]] == [shas[0], shas[1], shas[0]]

    def test_what_is_binary_cut_gone_or_another_text_is_left_out(self, script: Script) -> None:
        whole = b"whole\n"
        repository = {
            "t0": self._told(b"binary") | {"text": None},
            "t1": self._told(b"cut", isTruncated=True),
            "t2": self._told(b"\xef\xbb\xbfmark", "mark"),
            "t3": None,
            "t4": self._told(whole),
        }
        script.on(self.GRAPHQL, ok({"data": {"repository": repository}}))
        assert script.github().gather_host("octo/widgets").texts([_git_id(whole)]) == {_git_id(whole): whole}

    def test_an_object_that_is_no_blob_is_partial(self, script: Script) -> None:
        script.on(self.GRAPHQL, ok({"data": {"repository": {"t0": {}}}}))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").texts([HEAD])
