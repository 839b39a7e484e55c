"""What ``docs/deploy.md`` tells an operator to do works as it stands there."""

import json
import re

import boto3
import pytest

from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.client import Backoff
from autoswe.github.transport.tokens import PERMISSIONS
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.rules.settings.resolution import PLATFORM
from autoswe.runtime.github import PRIVATE_KEY, REVIEW_PRIVATE_KEY
from autoswe.runtime.review.wiring import MODEL_CREDENTIAL
from infra.cloud.names import REPOSITORY, Names, SecretKind
from tests.infra.template.built import synthesise
from tests.support.mock_aws import REGION
from tests.support.mock_table import NAME, mock_table

PAGE = (REPOSITORY / "docs" / "deploy.md").read_text()
OF_REVIEWS = ("select_pulls", "prepare_review", "apply_review")
TITLES = {"statuses": "Commit statuses", "pull_requests": "Pull requests"}


def test_the_records_that_the_page_saves_are_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOSWE_TABLE", NAME)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with mock_table() as mocked:
        boto3.setup_default_session()
        exec(compile(program, "docs/deploy.md", "exec"), {})
        records = RecordTable(mocked.table, Backoff())
        assert records.settings(PLATFORM, KILL_SWITCH).is_on(KILL_SWITCH)
        assert records.connection("feedback")
        assert records.repository("feedback", "owner/name")
        assert records.member("feedback", "owner/name", 5)
        assert records.automation("feedback", "address-pr-feedback")
        assert records.origin("feedback", "owner/name", 7)


def test_every_token_is_minted_by_the_one_app_or_the_other() -> None:
    assert {token for token in PERMISSIONS if token.startswith(OF_REVIEWS)} == {
        *("select_pulls", "prepare_review", "apply_review", "apply_review, to approve")
    }


@pytest.mark.parametrize(
    ("told_as", "reviews"), [(r"Repository permissions: (.*?)\. Each", False), (r"review App: (.*?)\. Install", True)]
)
def test_the_permissions_of_each_app_are_what_its_tokens_are_minted_with(told_as: str, reviews: bool) -> None:
    needed: dict[str, set[str]] = {}
    for token, permissions in PERMISSIONS.items():
        if token.startswith(OF_REVIEWS) == reviews:
            for name, access in permissions.items():
                needed.setdefault(name, set()).add(access)
    told = re.search(told_as, PAGE, re.DOTALL)
    assert told
    asked = {
        f"{TITLES.get(name, name.capitalize())} read{' and write' if 'write' in access else ''}"
        for name, access in needed.items()
    }
    assert set(" ".join(told[1].split()).split(", ")) == asked


def test_every_context_value_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    context = json.loads((REPOSITORY / "cdk.json").read_text())["context"]
    assert explained == {name for name in context if not name.startswith("@")}


def test_the_outputs_that_the_page_names_exist() -> None:
    named = {"WebhookUrl", "SecretsPrefix", "ScheduledReviewArn"}
    assert all(name in PAGE for name in named)
    assert named <= set(synthesise().body["Outputs"])


def test_the_secrets_are_created_under_the_names_that_functions_and_the_task_read() -> None:
    created = set(re.findall(r"--name (\S+)", PAGE))
    prefix = Names("autoswe").secrets_prefix
    assert created == {
        f"{prefix}/{name}"
        for name in (
            f"feedback/{SecretKind.WEBHOOK_SECRETS}",
            f"feedback/{SecretKind.PRIVATE_KEY}",
            f"review/{SecretKind.REVIEW_PRIVATE_KEY}",
            f"review/{SecretKind.MODEL_CREDENTIAL}",
            SecretKind.MODEL_CREDENTIAL,
        )
    }


def test_the_kinds_of_secrets_are_named_as_the_functions_name_them() -> None:
    assert SecretKind.PRIVATE_KEY == PRIVATE_KEY
    assert SecretKind.REVIEW_PRIVATE_KEY == REVIEW_PRIVATE_KEY
    assert SecretKind.MODEL_CREDENTIAL == MODEL_CREDENTIAL
