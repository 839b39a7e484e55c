"""The judges of the local GitHub host find what is wrong, and forgive only what GitHub itself gets wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.local.github_host.sample_deliveries import FOLDER
from tests.contracts.github.judges import (
    described_webhook,
    openapi,
    published_webhook,
    rest_complaints,
    webhook_complaints,
)
from tests.contracts.github.regenerate import HERE, operations

REF = "GET /repos/{owner}/{repo}/git/ref/{ref}"
COMMENT = "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}"


def sample(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


def test_an_answer_without_a_required_field_is_complained_about() -> None:
    assert any("'object' is a required property" in one for one in rest_complaints(REF, 200, {"ref": "refs/heads/x"}))


def test_a_status_that_github_never_answers_with_is_a_failure() -> None:
    with pytest.raises(AssertionError, match="never answers"):
        rest_complaints(REF, 418, {})


def test_an_error_body_that_is_no_object_is_complained_about() -> None:
    assert rest_complaints(REF, 401, ["Bad credentials"])


def test_a_webhook_with_the_wrong_case_of_a_state_is_complained_about() -> None:
    payload = sample("review_changes_requested")["payload"]
    payload["review"]["state"] = "CHANGES_REQUESTED"
    assert any("review/state" in one for one in webhook_complaints("pull_request_review", "submitted", payload))


def test_a_webhook_must_fit_both_of_githubs_descriptions() -> None:
    payload = sample("review_changes_requested")["payload"]
    wrong = {**payload, "review": {**payload["review"], "state": "bogus"}}
    # One description takes any word for a state, the other has never heard of discussions.
    assert webhook_complaints("pull_request_review", "submitted", wrong)
    assert list(described_webhook("pull_request_review$submitted").iter_errors(wrong)) == []
    del payload["pull_request"]["head"]["repo"]["has_discussions"]
    assert webhook_complaints("pull_request_review", "submitted", payload)
    assert list(published_webhook("pull_request_review$submitted").iter_errors(payload)) == []


def test_the_description_kept_is_that_of_the_hosts_operations_and_of_no_others() -> None:
    kept = [f"{method.upper()} {path}" for path, methods in openapi()["paths"].items() for method in methods]
    assert sorted(kept) == operations()


def test_a_deleted_fork_and_a_deleted_author_are_forgiven_and_a_missing_head_is_not() -> None:
    payload = sample("review_changes_requested")["payload"]
    payload["pull_request"]["head"]["repo"] = None
    payload["review"]["user"] = None
    assert webhook_complaints("pull_request_review", "submitted", payload) == []
    del payload["pull_request"]["head"]
    assert webhook_complaints("pull_request_review", "submitted", payload)


@pytest.mark.parametrize("name", ["openapi", "openapi_webhooks", "webhooks", "schema"])
def test_every_extract_of_githubs_own_texts_has_its_licence_beside_it(name: str) -> None:
    folders = [HERE, HERE.parents[2] / "infra/local/github_host/graphql"]
    found = [path for folder in folders for path in Path(folder).glob(f"{name}.LICENSE")]
    assert len(found) == 1
    assert "Permission is hereby granted, free of charge" in found[0].read_text(encoding="utf-8")
