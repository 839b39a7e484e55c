"""Reviews, comments and who wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.github.discussions.accounts import Account, author
from autoswe.ports.github import Forbidden, PartialAnswer
from autoswe.rules.github.facts import Author, Text
from autoswe.rules.records.triggers import TriggerSource
from tests.adapters.github.scripted import API, Script, ok, told

PULL = f"{API}/repos/octo/widgets/pulls/7"
ISSUE = f"{API}/repos/octo/widgets/issues/7"
ALICE = {"id": 5, "login": "alice", "type": "User"}
WHERE = {
    TriggerSource.REVIEW: "GET /repos/octo/widgets/pulls/7/reviews/11",
    TriggerSource.INLINE_COMMENT: "GET /repos/octo/widgets/pulls/comments/11",
    TriggerSource.DISCUSSION_COMMENT: "GET /repos/octo/widgets/issues/comments/11",
}


def _text(source: TriggerSource, **changes: object) -> dict[str, object]:
    home = {"issue_url": ISSUE} if source is TriggerSource.DISCUSSION_COMMENT else {"pull_request_url": PULL}
    state = {"state": "CHANGES_REQUESTED"} if source is TriggerSource.REVIEW else {}
    return {"id": 11, "node_id": "X_11", "user": ALICE, "body": "please", **home, **state, **changes}


def test_a_review_comes_with_its_state(script: Script) -> None:
    script.on(WHERE[TriggerSource.REVIEW], ok(_text(TriggerSource.REVIEW)))
    assert script.github().gather_host("octo/widgets").text(TriggerSource.REVIEW, 7, 11) == Text(
        11, "X_11", Author(5, "alice", is_bot=False), "please", review_state="CHANGES_REQUESTED"
    )


def test_an_inline_reply_names_the_comment_that_opened_its_thread(script: Script) -> None:
    script.on(WHERE[TriggerSource.INLINE_COMMENT], ok(_text(TriggerSource.INLINE_COMMENT, in_reply_to_id=9)))
    text = script.github().gather_host("octo/widgets").text(TriggerSource.INLINE_COMMENT, 7, 11)
    assert text == Text(11, "X_11", Author(5, "alice", is_bot=False), "please", reply_to=9)


def test_a_discussion_comment_is_read(script: Script) -> None:
    script.on(WHERE[TriggerSource.DISCUSSION_COMMENT], ok(_text(TriggerSource.DISCUSSION_COMMENT)))
    text = script.github().gather_host("octo/widgets").text(TriggerSource.DISCUSSION_COMMENT, 7, 11)
    assert text == Text(11, "X_11", Author(5, "alice", is_bot=False), "please")


@pytest.mark.parametrize("source", list(TriggerSource))
class TestEverySource:
    def test_a_text_of_another_pull_request_is_none(self, script: Script, source: TriggerSource) -> None:
        other = {"pull_request_url": f"{PULL}7"}
        if source is TriggerSource.DISCUSSION_COMMENT:
            other = {"issue_url": f"{API}/repos/octo/widgets/issues/17"}
        script.on(WHERE[source], ok(_text(source, **other)))
        assert script.github().gather_host("octo/widgets").text(source, 7, 11) is None

    def test_a_deleted_text_is_none(self, script: Script, source: TriggerSource) -> None:
        script.on(WHERE[source], told(404, "Not Found"))
        assert script.github().gather_host("octo/widgets").text(source, 7, 11) is None

    def test_a_hidden_text_is_forbidden_and_not_gone(self, script: Script, source: TriggerSource) -> None:
        script.on(WHERE[source], told(403, "Resource not accessible by integration"))
        with pytest.raises(Forbidden):
            script.github().gather_host("octo/widgets").text(source, 7, 11)

    def test_a_deleted_account_is_no_author(self, script: Script, source: TriggerSource) -> None:
        script.on(WHERE[source], ok(_text(source, user=None, body=None)))
        text = script.github().gather_host("octo/widgets").text(source, 7, 11)
        assert text is not None
        assert (text.author, text.body) == (None, "")

    def test_another_text_than_asked_for_is_partial(self, script: Script, source: TriggerSource) -> None:
        script.on(WHERE[source], ok(_text(source, id=12)))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").text(source, 7, 11)

    def test_a_text_that_names_no_pull_request_is_partial(self, script: Script, source: TriggerSource) -> None:
        homeless = {key: value for key, value in _text(source).items() if not key.endswith("_url")}
        script.on(WHERE[source], ok(homeless))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").text(source, 7, 11)


def test_a_review_without_a_state_is_partial(script: Script) -> None:
    script.on(WHERE[TriggerSource.REVIEW], ok(_text(TriggerSource.REVIEW, state=None)))
    with pytest.raises(PartialAnswer):
        script.github().gather_host("octo/widgets").text(TriggerSource.REVIEW, 7, 11)


@given(st.text(), st.integers(), st.text())
def test_only_people_and_bots_are_authors(login: str, account_id: int, kind: str) -> None:
    found = author(Account.model_validate({"login": login, "id": account_id, "type": kind}))
    assert (found is not None) == (kind in {"User", "Bot"})


@pytest.mark.parametrize("kind", ["Mannequin", "Organization", "EnterpriseUserAccount", "user", "BOT", ""])
def test_any_other_type_is_no_author(kind: str) -> None:
    assert author(Account.model_validate({"login": "x", "databaseId": 1, "__typename": kind})) is None


def test_an_account_without_an_id_is_no_author() -> None:
    assert author(Account.model_validate({"login": "x", "databaseId": None, "__typename": "User"})) is None


@given(st.from_regex(r"[a-z][a-z0-9-]{0,30}", fullmatch=True))
def test_both_apis_name_the_same_bot_alike(slug: str) -> None:
    rest = author(Account.model_validate({"login": f"{slug}[bot]", "id": 1, "type": "Bot"}))
    graphql = author(Account.model_validate({"login": slug, "databaseId": 1, "__typename": "Bot"}))
    assert rest == graphql == Author(1, f"{slug}[bot]", is_bot=True)
