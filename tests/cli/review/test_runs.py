"""``autoswe review run`` starts the workflow, and ``report`` reads what a run wrote, where the environment says."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from autoswe.contracts.review.run import ReviewInput, RunInputs
from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.rules.review.run.inputs import ReviewInputs
from autoswe.rules.review.run.naming import namespace_of, report_key
from autoswe.rules.text.neutralise import neutralise_inline
from autoswe.runtime.process import Process
from autoswe.s3.artifacts import VersionedBucket
from tests.support.bucket import BUCKET, bucket_client, mock_bucket
from tests.support.fake_clock import FakeClock
from tests.support.mock_aws import REGION, mock_client, running_on_mock_aws
from tests.support.mock_table import NAME, mock_table
from tests.support.places import ROOT
from tests.support.review.fakes import CONNECTION

REPORT = (ROOT / "tests" / "contracts" / "review" / "golden" / "report.json").read_bytes()
DEFINITION = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}
EXECUTION = "arn:aws:states:eu-west-1:123456789012:execution:scheduled_review:run-1"
OLDER, NEWER = namespace_of(EXECUTION), namespace_of(f"{EXECUTION}-2")


def review(*arguments: str) -> Result:
    return CliRunner().invoke(assemble([]), ["review", *arguments])


def printed(*arguments: str) -> str:
    """What a command prints that must succeed."""
    result = review(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*arguments: str) -> str:
    """What a command says that must refuse."""
    result = review(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


@dataclass
class Platform:
    """A deployed workflow, a table that knows the review App, and a process whose environment names both."""

    machine: str
    process: Process

    def started(self) -> list[dict[str, Any]]:
        """Return the input of every execution."""
        client = mock_client("stepfunctions")
        executions = client.list_executions(stateMachineArn=self.machine)["executions"]
        return [
            json.loads(client.describe_execution(executionArn=execution["executionArn"])["input"])
            for execution in executions
        ]


@pytest.fixture
def platform() -> Iterator[Platform]:
    with mock_table():
        machine = mock_client("stepfunctions").create_state_machine(
            name="scheduled_review", definition=json.dumps(DEFINITION), roleArn="arn:aws:iam::123456789012:role/review"
        )["stateMachineArn"]
        environment = {"AUTOSWE_TABLE": NAME, "AUTOSWE_SCHEDULED_REVIEW_ARN": machine}
        with running_on_mock_aws(environment, FakeClock()) as process:
            RecordTable(Table(NAME, lambda: mock_client("dynamodb")), Backoff()).save_connection(CONNECTION)
            yield Platform(machine, process)


def test_a_run_is_started_as_a_persons_with_the_inputs_that_were_given_and_its_arn_is_printed(
    platform: Platform,
) -> None:
    options = ("--no-dry-run", "--model", "Claude Fable 5.1", "--approve-tiers", "trivial", "--max-pull-requests", "0")
    arn = printed("run", "--org", "octo", *options).strip()
    assert arn in {
        execution["executionArn"]
        for execution in mock_client("stepfunctions").list_executions(stateMachineArn=platform.machine)["executions"]
    }
    (given,) = platform.started()
    assert given == {
        "inputs": {
            "org": "octo",
            "dry_run": False,
            "model": "Claude Fable 5.1",
            "approve_tiers": "trivial",
            "max_pull_requests": 0,
        }
    }
    assert ReviewInput.model_validate(given).started_by == "person"


def test_every_input_of_a_run_is_an_option(platform: Platform) -> None:
    options = {
        "--org": "octo",
        "--dry-run": None,
        "--model": "gpt-6-astra",
        "--approve-tiers": "none",
        "--pull-requests": "widgets#7",
        "--repositories": "widgets",
        "--exclude-repos": "gadgets",
        "--max-pull-requests": "7",
        "--max-concurrent-agents": "2",
        "--max-runtime-minutes": "10",
        "--reassess": None,
        "--skip-agent": None,
    }
    printed("run", *(part for option in options.items() for part in option if part is not None))
    (given,) = platform.started()
    assert set(given["inputs"]) == set(RunInputs.of(ReviewInputs("octo")).model_dump())


def test_a_replay_names_the_execution_whose_run_goes_on(platform: Platform) -> None:
    printed("run", "--org", "octo", "--replay-of", EXECUTION)
    assert platform.started() == [{"inputs": {"org": "octo"}, "replay_of": EXECUTION}]


@pytest.mark.parametrize(
    ("arguments", "sentences"),
    [
        (("--max-concurrent-agents", "31"), ["max_concurrent_agents cannot be 31: it must be a whole number from 1"]),
        (("--model", "A B", "--max-pull-requests", "-1"), ["model cannot be 'A B'", "max_pull_requests cannot be -1"]),
        (("--pull-requests", "https://github.example/octo/w/pull/7"), ["pull_requests cannot be"]),
        (("--max-runtime-minutes", "45"), ["max_runtime_minutes cannot be 45 here: it must be at most 44"]),
        (("--replay-of", "run-1"), ["--replay-of is wrong"]),
        (("--connection", "other"), ["there is no connection other of a review App"]),
        (("--connection", ""), ["--connection is wrong"]),
    ],
)
def test_every_bad_input_is_told_and_nothing_is_started(
    platform: Platform, arguments: tuple[str, ...], sentences: list[str]
) -> None:
    told = refused("run", "--org", "octo", *arguments).splitlines()
    assert len(told) == len(sentences)
    assert all(line.startswith(sentence) for line, sentence in zip(told, sentences, strict=True))
    assert platform.started() == []


def test_another_run_of_the_same_second_is_not_started_over_the_first(platform: Platform) -> None:
    first = printed("run", "--org", "octo")
    assert printed("run", "--org", "octo") == first, "the same asked again is the same run"
    assert "try again in a second" in refused("run", "--org", "octo", "--skip-agent")
    assert platform.started() == [{"inputs": {"org": "octo"}}]


def test_a_workflow_that_is_not_there_or_not_named_is_told_in_a_sentence(platform: Platform) -> None:
    nowhere = {"AUTOSWE_SCHEDULED_REVIEW_ARN": f"{platform.machine}-2"}
    for changed, sentence in ((nowhere, "StateMachineDoesNotExist"), ({}, "AUTOSWE_SCHEDULED_REVIEW_ARN is not set")):
        with running_on_mock_aws({"AUTOSWE_TABLE": NAME, **changed}, FakeClock()):
            told = refused("run", "--org", "octo")
            assert told.startswith("no run can be started: ")
            assert sentence in told


@pytest.fixture
def bucket() -> Iterator[VersionedBucket]:
    """A bucket with the reports of two runs, of which the first was replayed, and an attempt without a report yet."""
    with mock_bucket() as client:
        kept = VersionedBucket(client, BUCKET)
        environment = {"AUTOSWE_BUCKET": BUCKET, "AWS_REGION": REGION}
        with running_on_mock_aws(environment, FakeClock()) as process:
            process.once("s3", bucket_client)
            for number, (namespace, attempt) in enumerate(((OLDER, 9), (OLDER, 10), (NEWER, 1))):
                write_report(kept, namespace, attempt, f"# Report {number}\n")
            kept.put(report_key(NEWER, 2, "report.md"), b"# Unfinished\n")
            kept.put(report_key("odd", 3, "report.json"), b"{}")
            yield kept


def write_report(bucket: VersionedBucket, namespace: str, attempt: int, page: str) -> None:
    bucket.put(report_key(namespace, attempt, "report.md"), page.encode())
    bucket.put(report_key(namespace, attempt, "report.json"), REPORT)


@pytest.mark.parametrize("run", [OLDER, EXECUTION])
def test_a_run_is_named_by_its_namespace_or_its_execution_and_its_highest_attempt_is_told(
    bucket: VersionedBucket, run: str
) -> None:
    assert printed("report", "--run", run) == "# Report 1\n"


def test_an_attempt_without_a_whole_report_is_not_told(bucket: VersionedBucket) -> None:
    assert printed("report", "--run", NEWER) == "# Report 2\n"


def test_without_a_name_the_latest_report_is_told(bucket: VersionedBucket) -> None:
    assert printed("report") == printed("report", "--run", "latest")
    assert printed("report").startswith("# Report ")


def test_on_a_terminal_the_page_is_shown_as_it_reads(bucket: VersionedBucket, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(bucket, NEWER, 1, f"# Report\n\n| title |\n| --- |\n| {neutralise_inline('Ask @bob', 600)} |\n")
    written = printed("report", "--run", NEWER)
    assert "&#x40;" in written
    monkeypatch.setattr("autoswe.cli.review.runs.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    shown = printed("report", "--run", NEWER).replace("\u200b", "")
    assert "Ask @bob" in shown
    assert "<code>" not in shown


def test_the_report_as_json_is_the_document(bucket: VersionedBucket) -> None:
    assert json.loads(printed("report", "--json")) == json.loads(REPORT)


def test_a_report_that_is_not_what_it_should_be_is_refused(bucket: VersionedBucket) -> None:
    bucket.put(report_key(NEWER, 1, "report.json"), b'{"schema": 2}')
    assert refused("report", "--run", NEWER, "--json").startswith("report.json is refused: ")


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (namespace_of("arn:nothing"), "there is no report of "),
        ("arn:nothing", "there is no report of arn:nothing"),
        ("../secrets", "'../secrets' names no run"),
    ],
)
def test_a_run_without_a_report_and_a_name_that_is_none_are_told(
    bucket: VersionedBucket, run: str, sentence: str
) -> None:
    assert sentence in refused("report", "--run", run)


def test_without_any_report_and_without_a_bucket_a_sentence_says_so() -> None:
    with mock_bucket(), running_on_mock_aws({"AUTOSWE_BUCKET": BUCKET, "AWS_REGION": REGION}, FakeClock()) as process:
        process.once("s3", bucket_client)
        assert refused("report") == "there is no report\n"
    with running_on_mock_aws({"AWS_REGION": REGION}, FakeClock()):
        assert refused("report").startswith("the reports cannot be read: ")
