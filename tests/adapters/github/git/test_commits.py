"""Git objects that are made, and refs that are moved."""

import base64
import hashlib
import json
from dataclasses import dataclass

import httpx
import pytest

from autoswe.github.git.commits import MOST_BYTES_OF_A_TREE, MOST_INLINE_BYTES
from autoswe.ports.github import Forbidden, PartialAnswer, Refused, Unavailable
from tests.adapters.github.scripted import BASE, HEAD, Script, ok, told

GIT = "/repos/octo/widgets/git"
REF = f"{GIT}/refs/heads%2Ffix%2Fa"
UNSUPPORTED = {
    "errors": [
        {"message": "Field 'updateRefs' doesn't exist on type 'Mutation'", "extensions": {"code": "undefinedField"}}
    ]
}


@dataclass(frozen=True)
class Entry:
    path: str
    mode: str
    content: bytes | None


def _tree(request: httpx.Request) -> list[dict[str, object]]:
    sent: list[dict[str, object]] = json.loads(request.content)["tree"]
    return sent


def _sent(script: Script, what: str) -> object:
    (request,) = script.sent(what)
    return json.loads(request.content)


def _make(script: Script, *entries: Entry) -> str:
    return script.github().push_host("octo/widgets").make_tree(BASE, entries)


@pytest.mark.parametrize("content", [b"\xff bytes", b"a\0b", b"x" * (MOST_INLINE_BYTES + 1)])
def test_what_is_no_text_or_too_long_for_its_tree_is_stored_as_a_blob_named_by_its_content(
    script: Script, content: bytes
) -> None:
    sha = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    script.on(f"POST {GIT}/blobs", httpx.Response(201, json={"sha": sha}))
    script.on(f"POST {GIT}/trees", httpx.Response(201, json={"sha": HEAD}))
    assert _make(script, Entry("a.bin", "100644", content)) == HEAD
    assert _sent(script, f"POST {GIT}/blobs") == {"content": base64.b64encode(content).decode(), "encoding": "base64"}
    [entry] = _tree(script.sent(f"POST {GIT}/trees")[0])
    assert entry == {"path": "a.bin", "mode": "100644", "type": "blob", "sha": sha}


def test_a_blob_under_another_id_is_not_ours(script: Script) -> None:
    script.on(f"POST {GIT}/blobs", httpx.Response(201, json={"sha": HEAD}))
    with pytest.raises(PartialAnswer):
        _make(script, Entry("a.bin", "100644", b"\0"))


def test_a_tree_carries_its_texts_as_they_are_and_deletes_by_null(script: Script) -> None:
    script.on(f"POST {GIT}/trees", httpx.Response(201, json={"sha": HEAD}))
    text = "Größe\r\n\u2028\t\n"
    entries = (Entry("a.py", "100644", text.encode()), Entry("run", "100755", b""), Entry("gone", "100644", None))
    assert _make(script, *entries) == HEAD
    assert _sent(script, f"POST {GIT}/trees") == {
        "base_tree": BASE,
        "tree": [
            {"path": "gone", "mode": "100644", "type": "blob", "sha": None},
            {"path": "a.py", "mode": "100644", "type": "blob", "content": text},
            {"path": "run", "mode": "100755", "type": "blob", "content": ""},
        ],
    }


def test_two_hundred_texts_take_few_requests_each_on_top_of_the_one_before(script: Script) -> None:
    size = MOST_BYTES_OF_A_TREE // 100
    made = [f"{number:040x}" for number in range(1, 4)]
    script.on(f"POST {GIT}/trees", *[httpx.Response(201, json={"sha": sha}) for sha in made])
    entries = [Entry(f"f{number}", "100644", b"x" * size) for number in range(200)]
    assert _make(script, *entries) == made[1]
    requests = script.sent(f"POST {GIT}/trees")
    assert [json.loads(one.content)["base_tree"] for one in requests] == [BASE, made[0]]
    assert [entry["path"] for one in requests for entry in _tree(one)] == [entry.path for entry in entries]


def test_a_workflow_file_is_forbidden(script: Script) -> None:
    script.on(f"POST {GIT}/trees", told(403, "Resource not accessible by integration"))
    with pytest.raises(Forbidden):
        script.github().push_host("octo/widgets").make_tree(BASE, [Entry(".github/workflows/a.yml", "100644", b"text")])


def test_a_commit_names_no_author_so_that_the_host_signs_it(script: Script) -> None:
    script.on(
        f"POST {GIT}/commits",
        httpx.Response(201, json={"sha": HEAD, "tree": {"sha": BASE}, "parents": [{"sha": BASE}]}),
    )
    assert script.github().push_host("octo/widgets").make_commit("Fix", BASE, BASE) == HEAD
    assert _sent(script, f"POST {GIT}/commits") == {"message": "Fix", "tree": BASE, "parents": [BASE]}


@pytest.mark.parametrize(
    "answer",
    [
        {"sha": HEAD, "tree": {"sha": HEAD}, "parents": [{"sha": BASE}]},
        {"sha": HEAD, "tree": {"sha": BASE}, "parents": []},
        {"sha": HEAD, "tree": {"sha": BASE}, "parents": [{"sha": BASE}, {"sha": HEAD}]},
    ],
)
def test_a_commit_of_something_else_is_not_ours(script: Script, answer: object) -> None:
    script.on(f"POST {GIT}/commits", httpx.Response(201, json=answer))
    with pytest.raises(PartialAnswer):
        script.github().push_host("octo/widgets").make_commit("Fix", BASE, BASE)


def test_a_ref_is_made_by_its_full_name(script: Script) -> None:
    script.on(f"POST {GIT}/refs", httpx.Response(201, json={"ref": "refs/heads/fix/a"}))
    script.github().push_host("octo/widgets").make_ref("heads/fix/a", HEAD)
    assert _sent(script, f"POST {GIT}/refs") == {"ref": "refs/heads/fix/a", "sha": HEAD}


def test_a_ref_that_exists_is_refused(script: Script) -> None:
    script.on(f"POST {GIT}/refs", told(422, "Reference already exists"))
    with pytest.raises(Refused, match="Reference already exists"):
        script.github().push_host("octo/widgets").make_ref("heads/fix/a", HEAD)


@pytest.mark.parametrize("reply", [httpx.Response(204), told(422, "Reference does not exist")])
def test_a_ref_is_gone_after_it_was_dropped_even_if_it_was_before(script: Script, reply: httpx.Response) -> None:
    script.on(f"DELETE {REF}", reply)
    script.github().push_host("octo/widgets").drop_ref("heads/fix/a")
    assert len(script.sent(f"DELETE {REF}")) == 1


def test_a_ref_that_may_not_be_dropped_is_refused(script: Script) -> None:
    script.on(f"DELETE {REF}", told(422, "Cannot delete this branch"))
    with pytest.raises(Refused, match="Cannot delete"):
        script.github().push_host("octo/widgets").drop_ref("heads/fix/a")


def test_a_ref_moves_by_comparison_and_never_by_force(script: Script) -> None:
    script.on("POST /graphql", ok({"data": {"updateRefs": {"clientMutationId": None}}}))
    script.github().push_host("octo/widgets").move_ref("R_1", "heads/fix/a", HEAD, BASE)
    (request,) = script.sent("POST /graphql")
    assert json.loads(request.content)["variables"] == {
        "repositoryId": "R_1",
        "refUpdates": [{"name": "refs/heads/fix/a", "beforeOid": HEAD, "afterOid": BASE, "force": False}],
    }


class TestHostsWithoutUpdateRefs:
    def _at(self, script: Script, sha: str) -> None:
        script.on("POST /graphql", ok(UNSUPPORTED))
        script.on(
            f"GET {GIT}/ref/heads%2Ffix%2Fa", ok({"ref": "refs/heads/fix/a", "object": {"type": "commit", "sha": sha}})
        )

    def test_the_tip_is_compared_before_it_goes_forward(self, script: Script) -> None:
        self._at(script, HEAD)
        script.on(f"PATCH {REF}", ok({"ref": "refs/heads/fix/a"}))
        script.github().push_host("octo/widgets").move_ref("R_1", "heads/fix/a", HEAD, BASE)
        assert _sent(script, f"PATCH {REF}") == {"sha": BASE, "force": False}

    def test_a_tip_elsewhere_is_refused_without_a_write(self, script: Script) -> None:
        self._at(script, "c" * 40)
        with pytest.raises(Refused, match="no longer at"):
            script.github().push_host("octo/widgets").move_ref("R_1", "heads/fix/a", HEAD, BASE)
        assert script.sent(f"PATCH {REF}") == []

    def test_a_lost_answer_leaves_the_move_open(self, script: Script) -> None:
        self._at(script, HEAD)
        script.on(f"PATCH {REF}", httpx.ReadTimeout("slow"))
        with pytest.raises(Unavailable):
            script.github().push_host("octo/widgets").move_ref("R_1", "heads/fix/a", HEAD, BASE)
        assert len(script.sent(f"PATCH {REF}")) == 1


@pytest.mark.parametrize("verified", [True, False])
def test_a_commit_is_signed_when_the_host_vouches_for_it(script: Script, verified: bool) -> None:
    script.on(f"GET {GIT}/commits/{HEAD}", ok({"sha": HEAD, "verification": {"verified": verified}}))
    assert script.github().push_host("octo/widgets").is_signed(HEAD) is verified


@pytest.mark.parametrize("answer", [{"sha": BASE, "verification": {"verified": True}}, {"sha": HEAD}])
def test_another_commit_and_silence_about_a_signature_are_partial(script: Script, answer: object) -> None:
    script.on(f"GET {GIT}/commits/{HEAD}", ok(answer))
    with pytest.raises(PartialAnswer):
        script.github().push_host("octo/widgets").is_signed(HEAD)
