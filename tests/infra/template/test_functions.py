"""How each Lambda function is set up."""

import re
from typing import Any

import pytest

from autoswe.steps.intake.sweep_deliveries import SWEEP_TIME
from infra.cloud.names import REPOSITORY
from tests.infra.template.built import as_list, spell, synthesise

TABLE, BUCKET = "<StateTable>", "<StateBucket>"
PREFIX = "autoswe/autoswe"
WORKFLOW = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-feedback_round"

SECONDS = {
    "receive_delivery": 10,
    "start_workflow": 30,
    "resolve_intake": 60,
    "gather_feedback": 300,
    "prepare_task": 60,
    "push_fix": 300,
    "poll_ci": 60,
    "respond": 120,
    "close_round": 60,
    "sweep_deliveries": 300,
    "record_run": 30,
    "preflight": 60,
    "select_pulls": 900,
    "prepare_review": 300,
    "apply_review": 300,
    "report_run": 300,
}
ENVIRONMENT = {
    "receive_delivery": {"TABLE": TABLE, "SECRETS_PREFIX": PREFIX},
    "start_workflow": {"TABLE": TABLE, "FEEDBACK_ROUND_ARN": WORKFLOW},
    "resolve_intake": {"TABLE": TABLE, "SECRETS_PREFIX": PREFIX},
    "gather_feedback": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX},
    "prepare_task": {
        "TABLE": TABLE,
        "BUCKET": BUCKET,
        "AGENT": "suggestions",
        "SIGNER_ROLE_ARN": "<RoundSigner.Arn>",
    },
    "push_fix": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX, "FEEDBACK_ROUND_ARN": WORKFLOW},
    "poll_ci": {"TABLE": TABLE, "SECRETS_PREFIX": PREFIX, "AGENT": "suggestions"},
    "respond": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX},
    "close_round": {"TABLE": TABLE},
    "sweep_deliveries": {"TABLE": TABLE, "SECRETS_PREFIX": PREFIX, "FEEDBACK_ROUND_ARN": WORKFLOW},
    "record_run": {"TABLE": TABLE},
    "preflight": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX, "REVIEWER": "rules"},
    "select_pulls": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX, "REVIEW_EXCLUSIONS": ""},
    "prepare_review": {
        "TABLE": TABLE,
        "BUCKET": BUCKET,
        "SECRETS_PREFIX": PREFIX,
        "REVIEWER": "rules",
        "SIGNER_ROLE_ARN": "<ReviewSigner.Arn>",
    },
    "apply_review": {"TABLE": TABLE, "BUCKET": BUCKET, "SECRETS_PREFIX": PREFIX},
    "report_run": {"TABLE": TABLE, "BUCKET": BUCKET},
}


def test_there_is_one_function_for_each_folder_with_a_handler() -> None:
    folders = {file.parent.name for file in (REPOSITORY / "functions").glob("*/handler.py")}
    assert set(synthesise().functions()) == folders


@pytest.mark.parametrize("name", sorted(SECONDS))
def test_a_function_may_run_as_long_as_its_work_takes(name: str) -> None:
    assert synthesise().functions()[name]["Timeout"] == SECONDS[name]


@pytest.mark.parametrize("name", sorted(ENVIRONMENT))
def test_a_function_is_told_exactly_what_it_needs(name: str) -> None:
    variables = synthesise().functions()[name]["Environment"]["Variables"]
    assert {key: spell(value) for key, value in variables.items()} == {
        f"AUTOSWE_{key}": value for key, value in ENVIRONMENT[name].items()
    }


def test_no_function_is_told_of_a_variable_that_no_code_reads() -> None:
    """What stands in a module of operators is read at a terminal."""
    runtime = (REPOSITORY / "layers/core/python/autoswe/runtime").rglob("*.py")
    code = "".join(file.read_text() for file in runtime if not file.stem.endswith("operator"))
    read = set(re.findall(r"AUTOSWE_[A-Z_]+", code))
    told = {key for function in synthesise().functions().values() for key in function["Environment"]["Variables"]}
    assert told == read


def test_every_function_runs_the_handler_of_its_folder_on_the_locked_platform() -> None:
    for function in synthesise().functions().values():
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == ["arm64"]
        assert function["Handler"] == "handler.handler"
        assert {spell(layer) for layer in function["Layers"]} == {"<LayersVendor>", "<LayersCore>"}


def test_every_function_is_traced_and_logs_json_for_three_months() -> None:
    template = synthesise()
    logs = template.of_type("AWS::Logs::LogGroup")
    for name, function in template.functions().items():
        assert function["TracingConfig"] == {"Mode": "Active"}
        assert function["LoggingConfig"]["LogFormat"] == "JSON"
        log = logs[spell(function["LoggingConfig"]["LogGroup"]).strip("<>")]
        assert log["LogGroupName"] == f"/aws/lambda/autoswe-{name}"
        assert log["RetentionInDays"] == 90


def test_only_the_webhook_starts_from_a_snapshot() -> None:
    functions = synthesise().functions()
    assert [name for name, function in functions.items() if "SnapStart" in function] == ["receive_delivery"]
    assert functions["receive_delivery"]["SnapStart"] == {"ApplyOn": "PublishedVersions"}


def test_an_old_version_of_the_webhook_is_deleted_so_that_its_snapshot_is_no_longer_paid_for() -> None:
    template = synthesise()
    (version,) = (body for body in template.body["Resources"].values() if body["Type"] == "AWS::Lambda::Version")
    assert version.get("DeletionPolicy", "Delete") == "Delete"
    assert version.get("UpdateReplacePolicy", "Delete") == "Delete"


@pytest.mark.parametrize("name", ["gather_feedback", "prepare_review"])
def test_who_stores_a_source_archive_has_room_for_it(name: str) -> None:
    function = synthesise().functions()[name]
    assert function["EphemeralStorage"] == {"Size": 2048}
    assert function["MemorySize"] == 1024


def test_a_layer_brings_no_command_line_and_no_compiled_files() -> None:
    folders = [folder for folder in synthesise().folder.glob("asset.*") if (folder / "python" / "autoswe").is_dir()]
    (core,) = folders
    assert not (core / "python" / "autoswe" / "cli").exists()
    assert (core / "python" / "autoswe" / "runtime").is_dir()
    assert not list(core.rglob("*.pyc"))


def test_a_handlers_asset_is_the_handler_alone() -> None:
    template = synthesise()
    handlers = [folder for folder in template.folder.glob("asset.*") if (folder / "handler.py").exists()]
    assert len(handlers) == len(SECONDS)
    for folder in handlers:
        assert [file.name for file in folder.iterdir()] == ["handler.py"]


@pytest.mark.parametrize(
    ("function", "queue"),
    [
        ("RoundcloseroundFunction", "FeedbackRoundUndelivered"),
        ("ReviewreportrunFunction", "ScheduledReviewUndelivered"),
    ],
)
def test_a_failed_closing_is_kept_for_an_operator(function: str, queue: str) -> None:
    """The rule invokes these functions asynchronously, so nobody else would learn of a failure."""
    closing = asynchronous_calls()[f"<{function}>"]
    assert closing["MaximumRetryAttempts"] == 2
    destination = closing["DestinationConfig"]["OnFailure"]["Destination"]
    assert spell(destination) == f"<{queue}.Arn>"


def test_a_failed_sweep_is_not_repeated_because_the_next_one_finds_what_it_would_have() -> None:
    sweeping = asynchronous_calls()["<SweepsweepdeliveriesFunction>"]
    assert sweeping["MaximumRetryAttempts"] == 0
    schedule = synthesise().only("AWS::Scheduler::Schedule")
    assert schedule["Target"]["RetryPolicy"]["MaximumRetryAttempts"] == 0


def test_only_what_an_event_or_a_schedule_calls_is_called_asynchronously() -> None:
    assert set(asynchronous_calls()) == {
        "<ReviewreportrunFunction>",
        "<RoundcloseroundFunction>",
        "<RunsrecordrunFunction>",
        "<SweepsweepdeliveriesFunction>",
    }


def test_the_sweep_is_called_every_ten_minutes_and_is_over_before_it_is_called_again() -> None:
    template = synthesise()
    schedule = template.only("AWS::Scheduler::Schedule")
    assert schedule["ScheduleExpression"] == "cron(0/10 * * * ? *)"
    assert schedule["ScheduleExpressionTimezone"] == "UTC"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert spell(schedule["Target"]["Arn"]) == "<SweepsweepdeliveriesFunction.Arn>"
    assert spell(schedule["Target"]["RoleArn"]) == "<SweepCaller.Arn>"
    assert template.functions()["sweep_deliveries"]["Timeout"] < 600
    assert SWEEP_TIME.total_seconds() < template.functions()["sweep_deliveries"]["Timeout"]


def test_there_is_no_other_schedule() -> None:
    rules = synthesise().of_type("AWS::Events::Rule").values()
    assert not [rule for rule in rules if "ScheduleExpression" in rule]


def asynchronous_calls() -> dict[str, dict[str, Any]]:
    """Give how each function is called that answers nobody, by its name in the template."""
    calls = synthesise().of_type("AWS::Lambda::EventInvokeConfig").values()
    return {spell(call["FunctionName"]): call for call in calls}


def test_each_function_has_an_alarm_on_errors_and_on_throttling() -> None:
    template = synthesise()
    watched = {
        (alarm["MetricName"], spell(dimension["Value"]))
        for alarm in template.of_type("AWS::CloudWatch::Alarm").values()
        for dimension in as_list(alarm["Dimensions"])
    }
    functions = set(template.of_type("AWS::Lambda::Function"))
    assert {(metric, f"<{name}>") for name in functions for metric in ("Errors", "Throttles")} <= watched
