"""The AWS clients of a process."""

import pytest

from autoswe.runtime import aws
from autoswe.runtime.process import EnvironmentVariableMissing, Process

WEBHOOK_SECONDS = 10
"""GitHub: "Handling failed webhook deliveries" counts a delivery as failed when its answer takes longer."""


def test_a_client_is_built_once_for_the_region_that_the_process_runs_in() -> None:
    process = Process({"AWS_REGION": "eu-north-1"})
    client = aws.client(process, "dynamodb")
    assert client.meta.region_name == "eu-north-1"
    assert aws.client(process, "dynamodb") is client
    assert aws.client(process, "stepfunctions").meta.service_model.service_name == "stepfunctions"


def test_a_call_that_gets_no_answer_is_given_up_before_github_gives_up_the_delivery() -> None:
    config = aws.client(Process({"AWS_REGION": "eu-north-1"}), "dynamodb").meta.config
    attempts = config.retries["total_max_attempts"]
    assert attempts * (config.connect_timeout + config.read_timeout) < WEBHOOK_SECONDS


def test_without_a_region_no_client_is_built() -> None:
    with pytest.raises(EnvironmentVariableMissing, match="AWS_REGION"):
        aws.client(Process({}), "dynamodb")
