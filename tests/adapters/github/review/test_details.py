"""What a selected pull request says of itself."""

from datetime import UTC, datetime
from typing import Any

import pytest

from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import CheckRow, PullDetails, ReviewRow
from tests.adapters.github.review.answers import page
from tests.adapters.github.scripted import HEAD, Script, ok

REVIEW = {
    "state": "COMMENTED",
    "submittedAt": "2026-11-29T11:00:00Z",
    "author": {"__typename": "Bot", "login": "helper"},
    "commit": None,
}
SUBMITTED = datetime(2026, 11, 29, 11, tzinfo=UTC)
RUN = {"__typename": "CheckRun", "name": "tests", "status": "COMPLETED", "conclusion": "SUCCESS"}
PULL: dict[str, Any] = {
    "title": "Change",
    "body": "Why not?",
    "url": "https://github.test/octo/widgets/pull/7",
    "authorAssociation": "MEMBER",
    "headRefOid": HEAD,
    "headRefName": "feature",
    "baseRefName": "main",
    "isCrossRepository": True,
    "createdAt": "2026-11-28T12:00:00Z",
    "updatedAt": "2026-11-29T12:00:00Z",
    "author": {"__typename": "User", "login": "alice"},
    "headRepository": {"nameWithOwner": "alice/widgets"},
    "labels": page({"name": "bug"}),
    "reviews": page(REVIEW),
    "statusCheckRollup": {"contexts": {"totalCount": 1, **page(RUN)}},
}


def _read(script: Script, *pulls: dict[str, Any]) -> PullDetails:
    script.on("POST /graphql", *(ok({"data": {"repository": {"pullRequest": pull}}}) for pull in pulls))
    return script.github().scan_host().details("octo/widgets", 7)


def _reporting(*checks: object, total: int | None = None, after: str | None = None) -> dict[str, Any]:
    count = len(checks) if total is None else total
    return {**PULL, "statusCheckRollup": {"contexts": {"totalCount": count, **page(*checks, after=after)}}}


def test_everything_that_is_told_is_read(script: Script) -> None:
    assert _read(script, PULL) == PullDetails(
        title="Change",
        body="Why not?",
        url="https://github.test/octo/widgets/pull/7",
        author="alice",
        author_association="MEMBER",
        head_sha=HEAD,
        head_repository="alice/widgets",
        head_ref="feature",
        base_ref="main",
        is_fork=True,
        labels=("bug",),
        created_at=datetime(2026, 11, 28, 12, tzinfo=UTC),
        updated_at=datetime(2026, 11, 29, 12, tzinfo=UTC),
        checks=(CheckRow("tests", "COMPLETED", "SUCCESS"),),
        reviews=(ReviewRow("helper[bot]", is_bot=True, state="COMMENTED", commit=None, submitted_at=SUBMITTED),),
    )


def test_a_deleted_fork_and_deleted_accounts_are_absent(script: Script) -> None:
    told = {**PULL, "author": None, "headRepository": None, "reviews": page({**REVIEW, "author": None})}
    found = _read(script, told)
    assert (found.author, found.head_repository) == (None, None)
    assert [(review.author, review.is_bot) for review in found.reviews] == [(None, False)]


@pytest.mark.parametrize(
    ("told", "row"),
    [
        ({**RUN, "status": "IN_PROGRESS", "conclusion": None}, CheckRow("tests", "IN_PROGRESS", None)),
        ({"__typename": "StatusContext", "context": "ci", "state": "SUCCESS"}, CheckRow("ci", "COMPLETED", "SUCCESS")),
        ({"__typename": "StatusContext", "context": "ci", "state": "PENDING"}, CheckRow("ci", "PENDING", None)),
        ({"__typename": "StatusContext", "context": "ci", "state": "EXPECTED"}, CheckRow("ci", "PENDING", None)),
    ],
)
def test_checks_and_statuses_are_rows_of_one_list(script: Script, told: dict[str, object], row: CheckRow) -> None:
    assert _read(script, _reporting(told)).checks == (row,)


def test_a_head_that_nothing_reports_on_has_no_checks(script: Script) -> None:
    assert _read(script, {**PULL, "statusCheckRollup": None}).checks == ()


def test_checks_and_reviews_are_read_to_their_ends(script: Script) -> None:
    first = _reporting(*[RUN] * 2, total=3, after="X")
    found = _read(script, {**first, "reviews": page(REVIEW, after="Y")}, _reporting(RUN, total=3))
    assert (len(found.checks), len(found.reviews)) == (3, 2)


@pytest.mark.parametrize(
    "told",
    [
        _reporting(RUN, after="X"),
        {**PULL, "reviews": page(REVIEW, after="Y")},
        {**PULL, "labels": page({"name": "bug"}, after="Z")},
        _reporting(RUN, total=2),
        _reporting(None),
        _reporting({"__typename": "Oracle"}),
        {**PULL, "reviews": None},
        {**PULL, "headRefOid": None},
    ],
)
def test_what_is_not_told_whole_is_partial(script: Script, told: dict[str, Any]) -> None:
    with pytest.raises(PartialAnswer):
        _read(script, told)
