"""Webhook secrets: who has them, how long they are believed, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from autoswe.secrets.secrets_manager import REMEMBERED, Secrets, UnreadableSecret
from tests.support.fake_clock import FakeClock
from tests.support.mock_aws import mock_aws, mock_client

PREFIX = "autoswe/test"


class CountingClient:
    """Hands calls on to Secrets Manager and counts them; ``failure`` is raised instead when there is one."""

    def __init__(self) -> None:
        self.client = mock_client("secretsmanager")
        self.asked: list[str] = []
        self.failure: Exception | None = None

    def get_secret_value(self, **parameters: str) -> Any:
        self.asked.append(parameters["SecretId"])
        if self.failure:
            raise self.failure
        return self.client.get_secret_value(**parameters)

    def keep(self, connection: str, text: str) -> None:
        name = f"{PREFIX}/{connection}/webhook-secrets"
        try:
            self.client.create_secret(Name=name, SecretString=text)
        except self.client.exceptions.ResourceExistsException:
            self.client.put_secret_value(SecretId=name, SecretString=text)


@pytest.fixture
def manager() -> Iterator[CountingClient]:
    with mock_aws():
        yield CountingClient()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def secrets(manager: CountingClient, clock: FakeClock) -> Secrets:
    return Secrets(lambda: manager, PREFIX, clock)


def test_every_secret_of_a_rotation_is_read(manager: CountingClient, secrets: Secrets) -> None:
    manager.keep("feedback", json.dumps(["new", "old"]))
    assert secrets.webhook_secrets("feedback") == ("new", "old")


def test_one_connections_secrets_are_not_anothers(manager: CountingClient, secrets: Secrets) -> None:
    manager.keep("feedback", json.dumps(["one"]))
    manager.keep("review", json.dumps(["two"]))
    assert (secrets.webhook_secrets("feedback"), secrets.webhook_secrets("review")) == (("one",), ("two",))


def test_a_connection_without_secrets_is_unknown(secrets: Secrets) -> None:
    assert secrets.webhook_secrets("nowhere") is None


def test_secrets_are_believed_for_300_seconds_and_read_again_then(
    manager: CountingClient, secrets: Secrets, clock: FakeClock
) -> None:
    manager.keep("feedback", json.dumps(["first"]))
    secrets.webhook_secrets("feedback")
    manager.keep("feedback", json.dumps(["second"]))
    clock.advance(299)
    assert secrets.webhook_secrets("feedback") == ("first",)
    assert len(manager.asked) == 1
    clock.advance(1)
    assert secrets.webhook_secrets("feedback") == ("second",)


def test_an_unknown_connection_is_not_asked_for_again_for_60_seconds(
    manager: CountingClient, secrets: Secrets, clock: FakeClock
) -> None:
    secrets.webhook_secrets("feedback")
    manager.keep("feedback", json.dumps(["first"]))
    clock.advance(59)
    assert secrets.webhook_secrets("feedback") is None
    assert len(manager.asked) == 1
    clock.advance(1)
    assert secrets.webhook_secrets("feedback") == ("first",)


def test_made_up_connections_do_not_fill_the_memory_and_the_latest_are_remembered(
    manager: CountingClient, secrets: Secrets
) -> None:
    manager.failure = ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": ""}}, "GetSecretValue")
    for number in range(REMEMBERED + 10):
        secrets.webhook_secrets(f"made-up-{number}")
    asked = len(manager.asked)
    secrets.webhook_secrets(f"made-up-{REMEMBERED + 9}")
    assert len(manager.asked) == asked
    secrets.webhook_secrets("made-up-0")
    assert len(manager.asked) == asked + 1


def test_a_name_that_iam_denies_is_no_connection_and_not_asked_about_again_for_a_while(
    manager: CountingClient, secrets: Secrets, clock: FakeClock
) -> None:
    manager.failure = ClientError({"Error": {"Code": "AccessDeniedException", "Message": ""}}, "GetSecretValue")
    for _ in range(3):
        assert secrets.webhook_secrets("nobody") is None
    assert len(manager.asked) == 1
    clock.advance(60)
    secrets.webhook_secrets("nobody")
    assert len(manager.asked) == 2


@pytest.mark.parametrize("code", ["InternalServiceError", "DecryptionFailure", "InvalidRequestException"])
def test_any_other_failure_is_raised_and_not_remembered(manager: CountingClient, secrets: Secrets, code: str) -> None:
    manager.keep("feedback", json.dumps(["first"]))
    manager.failure = ClientError({"Error": {"Code": code, "Message": ""}}, "GetSecretValue")
    with pytest.raises(ClientError, match=code):
        secrets.webhook_secrets("feedback")
    manager.failure = None
    assert secrets.webhook_secrets("feedback") == ("first",)


@pytest.mark.parametrize("kept", ["plain words", "{}", "[]", '[""]', '["good", ""]', "[1]", "null", '"text"', "[null]"])
def test_secrets_that_are_not_a_list_of_words_are_refused_without_being_quoted(
    manager: CountingClient, secrets: Secrets, kept: str
) -> None:
    manager.keep("feedback", kept)
    with pytest.raises(UnreadableSecret) as refusal:
        secrets.webhook_secrets("feedback")
    assert str(refusal.value) == "the webhook secrets of feedback must be a JSON list of non-empty strings"


def test_a_secret_that_is_not_text_is_refused(manager: CountingClient, secrets: Secrets) -> None:
    manager.client.create_secret(Name=f"{PREFIX}/feedback/webhook-secrets", SecretBinary=b"bytes")
    with pytest.raises(UnreadableSecret, match="holds no text"):
        secrets.webhook_secrets("feedback")


class FixedClient:
    """Keeps one secret."""

    def __init__(self, text: str) -> None:
        self.text = text

    def get_secret_value(self, **_parameters: str) -> dict[str, str]:
        return {"SecretString": self.text}


@given(st.lists(st.text(min_size=1), min_size=1))
def test_whatever_words_are_kept_are_the_secrets(words: list[str]) -> None:
    secrets = Secrets(lambda: FixedClient(json.dumps(words)), PREFIX, FakeClock())
    assert secrets.webhook_secrets("feedback") == tuple(words)
