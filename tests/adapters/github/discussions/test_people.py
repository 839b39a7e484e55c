"""What people may do."""

import pytest

from autoswe.ports.github import Forbidden, PartialAnswer
from autoswe.rules.github.facts import Author, Permission
from tests.adapters.github.scripted import Script, ok, told

WHO = Author(account_id=5, login="alice", is_bot=False)
ALICE = "GET /repos/octo/widgets/collaborators/alice/permission"


@pytest.mark.parametrize("permission", list(Permission))
def test_a_permission_is_read_whatever_the_role_is_called(script: Script, permission: Permission) -> None:
    script.on(ALICE, ok({"permission": permission.value, "role_name": "admin", "user": {"login": "Alice", "id": 5}}))
    assert script.github().gather_host("octo/widgets").permission(WHO) is permission


def test_somebody_unknown_may_nothing(script: Script) -> None:
    script.on(ALICE, told(404, "Not Found"))
    assert script.github().gather_host("octo/widgets").permission(WHO) is Permission.NONE


@pytest.mark.parametrize(
    "answer",
    [
        {"permission": "maintain", "user": {"id": 5}},
        {"permission": "Write", "user": {"id": 5}},
        {"permission": None, "user": {"id": 5}},
        {"permission": "write", "user": {"id": "5"}},
        {"permission": "write", "user": None},
        {"user": {"id": 5}},
    ],
)
def test_what_is_not_understood_is_no_permission(script: Script, answer: dict[str, object]) -> None:
    script.on(ALICE, ok(answer))
    with pytest.raises(PartialAnswer):
        script.github().gather_host("octo/widgets").permission(WHO)


def test_a_denied_question_is_not_the_answer_none(script: Script) -> None:
    script.on(ALICE, told(403, "Must have push access to view collaborator permission."))
    with pytest.raises(Forbidden):
        script.github().gather_host("octo/widgets").permission(WHO)


def test_somebody_who_took_over_the_login_is_not_the_author(script: Script) -> None:
    script.on(ALICE, ok({"permission": "write", "user": {"login": "alice", "id": 6}}))
    assert script.github().gather_host("octo/widgets").permission(WHO) is Permission.NONE
