"""Who the App is and what each step's token may do."""

import json
from collections.abc import Callable
from datetime import timedelta

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from autoswe.github.transport.credentials import app_credential
from autoswe.github.transport.tokens import PERMISSIONS, WRITERS
from autoswe.ports.github import Forbidden, HostError, PartialAnswer, Unavailable
from autoswe.rules.github.facts import Author
from tests.adapters.github.scripted import NOW, TOKEN, Script, grant, ok, private_key, read_repository, told

MINT = "POST /app/installations/34/access_tokens"
REPOSITORY = "GET /repos/octo/widgets"
WIDGETS = {"id": 1, "node_id": "R_1", "full_name": "octo/widgets", "default_branch": "main", "archived": False}


def _minted(**changes: object) -> httpx.Response:
    asked = {"permissions": dict(PERMISSIONS["gather_feedback"]), "repositories": [{"full_name": "octo/widgets"}]}
    return httpx.Response(201, json={"token": TOKEN, **asked, **changes})


def test_the_app_s_credential_allows_for_a_minute_s_drift_and_stays_below_ten_minutes() -> None:
    credential = app_credential(12, private_key(), NOW)
    key = load_pem_private_key(private_key().encode(), None)
    claims = jwt.decode(
        credential.token,
        key.public_key(),  # type: ignore[arg-type]
        algorithms=["RS256"],
        options={"verify_exp": False, "verify_iat": False},
    )
    assert claims == {"iss": "12", "iat": NOW.timestamp() - 60, "exp": NOW.timestamp() + 540}


def test_a_key_that_cannot_sign_is_forbidden_and_not_quoted() -> None:
    with pytest.raises(Forbidden) as raised:
        app_credential(12, "not-a-key", NOW)
    assert "not-a-key" not in str(raised.getrepr(chain=True, funcargs=False, showlocals=False, style="value"))


def test_only_writers_hold_tokens_that_can_write() -> None:
    assert {function for function, asked in PERMISSIONS.items() if "write" in asked.values()} == WRITERS
    for function, asked in PERMISSIONS.items():
        assert set(asked.values()) <= ({"read", "write"} if function in WRITERS else {"read"})


def test_no_token_may_change_workflows_and_only_push_fix_writes_contents() -> None:
    assert all("workflows" not in asked for asked in PERMISSIONS.values())
    assert [function for function, asked in PERMISSIONS.items() if asked.get("contents") == "write"] == ["push_fix"]


@pytest.mark.parametrize("function", sorted(PERMISSIONS.keys() - {"select_pulls"}))
def test_a_token_is_asked_for_one_repository_and_exactly_the_function_s_permissions(
    script: Script, function: str
) -> None:
    github = script.github()
    asks: dict[str, Callable[[], object]] = {
        "resolve_intake": lambda: github.head_host("octo/widgets").pull(7),
        "gather_feedback": lambda: github.gather_host("octo/widgets").pull(7),
        "gather_feedback, of CI": lambda: github.evidence_host("octo/widgets").evidence("c" * 40),
        "push_fix": lambda: github.push_host("octo/widgets").pull(7),
        "poll_ci": lambda: github.check_host("octo/widgets").ci(7, "c" * 40, "d" * 40),
        "respond": lambda: github.report_host("octo/widgets").comments(7),
        "prepare_review": lambda: github.review_source_host("octo/widgets").tree("c" * 40),
        "apply_review": lambda: github.reread_host().live("octo/widgets", 7),
        "apply_review, to approve": lambda: github.approve_host().approve("octo/widgets", 7, "c" * 40, "Fine"),
    }
    with pytest.raises(HostError):
        asks[function]()
    asked = json.loads(script.sent(MINT)[0].content)
    assert asked == {"repositories": ["widgets"], "permissions": PERMISSIONS[function]}


def test_a_scan_s_token_is_for_every_repository_of_the_installation_and_can_only_read(script: Script) -> None:
    script.on("GET /installation/repositories", ok({"total_count": 0, "repositories": []}))
    script.github().scan_host().repositories("octo")
    (mint,) = script.sent(MINT)
    assert json.loads(mint.content) == {"permissions": PERMISSIONS["select_pulls"]}


@pytest.mark.parametrize(
    ("told", "is_for_them"),
    [
        (["octo/widgets", "octo/Gadgets"], True),
        (["octo/gadgets", "octo/widgets"], True),
        (["octo/widgets"], False),
        (["octo/widgets", "octo/widgets"], False),
        (["octo/widgets", "octo/other"], False),
        (["octo/widgets", "octo/gadgets", "octo/other"], False),
    ],
)
def test_a_scan_of_some_repositories_has_a_token_for_exactly_those(
    script: Script, told: list[str], is_for_them: bool
) -> None:
    repositories = [{"node_id": name, "full_name": name, "archived": False} for name in told]
    script.on(MINT, _minted(permissions=PERMISSIONS["select_pulls"], repositories=repositories))
    script.on("GET /installation/repositories", ok({"total_count": len(repositories), "repositories": repositories}))
    host = script.github().scan_host(["gadgets", "widgets"])
    if is_for_them:
        assert len(host.repositories("octo")) == 2
    else:
        with pytest.raises(Forbidden):
            host.repositories("octo")
    assert json.loads(script.sent(MINT)[0].content)["repositories"] == ["gadgets", "widgets"]


@pytest.mark.parametrize(
    "granted", [{**PERMISSIONS["select_pulls"], "contents": "write"}, {**PERMISSIONS["select_pulls"], "issues": "read"}]
)
def test_a_scan_s_token_that_may_do_more_than_asked_is_refused(script: Script, granted: dict[str, str]) -> None:
    script.on(MINT, _minted(permissions=granted))
    with pytest.raises(Forbidden):
        script.github().scan_host().repositories("octo")


def test_rereading_and_approving_take_one_token_for_each_repository(script: Script) -> None:
    reread, approve = script.github().reread_host(), script.github().approve_host()
    script.on("GET /repos/octo/widgets/pulls/7/reviews", ok([]))
    script.on("GET /repos/octo/gadgets/pulls/7/reviews", ok([]))
    for repository in ("octo/widgets", "octo/gadgets", "octo/widgets"):
        reread.reviews_by_us(repository, 7)
    with pytest.raises(HostError):
        approve.approve("octo/widgets", 7, "c" * 40, "Fine")
    asked = [json.loads(mint.content) for mint in script.sent(MINT)]
    assert [(one["repositories"], one["permissions"]) for one in asked] == [
        (["widgets"], PERMISSIONS["apply_review"]),
        (["gadgets"], PERMISSIONS["apply_review"]),
        (["widgets"], PERMISSIONS["apply_review, to approve"]),
    ]


def test_a_token_is_minted_when_first_needed_and_used_for_the_whole_step(script: Script) -> None:
    script.on(REPOSITORY, ok(WIDGETS))
    github = script.github()
    host = github.gather_host("octo/widgets")
    assert script.requests == []
    read_repository(host)
    host.ref("heads/main")
    host.ref("heads/other")
    assert len(script.sent(MINT)) == 1
    read_repository(github.gather_host("octo/widgets"))
    assert len(script.sent(MINT)) == 2


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (_minted(permissions={"contents": "write", "metadata": "read"}), Forbidden),
        (_minted(permissions={"contents": "read", "administration": "read"}), Forbidden),
        (_minted(repositories=[]), Forbidden),
        (_minted(repositories=[{"full_name": "octo/other"}]), Forbidden),
        (_minted(repositories=[{"full_name": "evil/widgets"}]), Forbidden),
        (_minted(repositories=[{"full_name": "octo/widgets"}, {"full_name": "octo/other"}]), Forbidden),
        (_minted(repositories=None), PartialAnswer),
        (_minted(permissions=None), PartialAnswer),
        (_minted(token=""), PartialAnswer),
        (_minted(token=f"{TOKEN}\r\nHost: evil.test"), PartialAnswer),
        (httpx.Response(201, content=TOKEN.encode()), PartialAnswer),
        (told(401, "A JSON web token could not be decoded"), Forbidden),
        (told(403, "This installation has been suspended"), Forbidden),
        (told(404, "Not Found"), Forbidden),
        (told(422, "The permissions requested are not granted to this installation."), Forbidden),
        (told(502, "Bad Gateway"), Unavailable),
    ],
)
def test_a_token_other_than_asked_for_is_never_used(
    script: Script, reply: httpx.Response, expected: type[HostError]
) -> None:
    script.on(MINT, reply)
    script.on(REPOSITORY, ok(WIDGETS))
    with pytest.raises(HostError) as raised:
        read_repository(script.github().gather_host("octo/widgets"))
    assert type(raised.value) is expected
    assert script.sent(REPOSITORY) == []
    assert TOKEN not in str(raised.getrepr(chain=True, style="value"))


@pytest.mark.parametrize("status", [404, 422])
def test_a_missing_installation_is_never_mistaken_for_a_missing_resource(script: Script, status: int) -> None:
    script.on(MINT, told(status, "Not Found"))
    host = script.github().gather_host("octo/widgets")
    with pytest.raises(Forbidden):
        host.ref("heads/main")
    with pytest.raises(Forbidden):
        host.permission(Author(account_id=5, login="alice", is_bot=False))


def test_minting_is_repeated_because_another_token_does_no_harm(script: Script) -> None:
    script.on(MINT, told(502, "Bad Gateway"), grant)
    script.on(REPOSITORY, ok(WIDGETS))
    read_repository(script.github().gather_host("octo/widgets"))
    assert len(script.sent(MINT)) == 2


def test_the_repository_s_name_is_compared_without_regard_to_case(script: Script) -> None:
    script.on(MINT, _minted(repositories=[{"full_name": "Octo/Widgets"}]))
    script.on(REPOSITORY, ok(WIDGETS))
    assert read_repository(script.github().gather_host("octo/widgets")).default_branch == "main"


def test_a_fresh_token_s_grace_ends_after_seconds(script: Script) -> None:
    script.on(REPOSITORY, told(401, "Bad credentials"), ok(WIDGETS))
    assert read_repository(script.github().gather_host("octo/widgets")).id == 1
    assert timedelta(seconds=sum(script.slept)) < timedelta(seconds=5)


def test_a_repository_is_asked_for_by_its_number_and_addressed_by_the_name_it_has_now(script: Script) -> None:
    renamed = [{"id": 9001, "full_name": "octo/widgets-renamed"}]
    script.on(MINT, _minted(permissions=PERMISSIONS["respond"], repositories=renamed))
    script.on("GET /repos/octo/widgets-renamed/issues/7/comments", ok([]))
    assert script.github().report_host(9001).comments(7) == ()
    (mint,) = script.sent(MINT)
    assert json.loads(mint.content)["repository_ids"] == [9001]
    assert "repositories" not in json.loads(mint.content)


@pytest.mark.parametrize("granted", [[], [{"id": 9002, "full_name": "octo/widgets"}], [{"full_name": "octo/widgets"}]])
def test_a_token_for_another_number_is_refused(script: Script, granted: list[dict[str, object]]) -> None:
    """A repository may have taken the name that another one has left."""
    script.on(MINT, _minted(permissions=PERMISSIONS["respond"], repositories=granted))
    with pytest.raises(Forbidden):
        script.github().report_host(9001).comments(7)
