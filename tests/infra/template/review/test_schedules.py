"""When reviews run by themselves, with which inputs, and which program may take part."""

import json
from pathlib import Path
from typing import Any

import pytest

from autoswe.contracts.review.run import ReviewInput, StartedBy
from autoswe.rules.review.run.inputs import ReviewInputs, read_inputs
from autoswe.runtime.release import release_digest as installed_digest
from infra.cloud.names import EVIDENCE, REPORTS, RESULTS, SESSIONS
from infra.cloud.release import release_digest
from tests.infra.template.built import Right, Template, spell, synthesise

MACHINE = "<Machine>"


def scheduled(folder: Path, **context: object) -> Template:
    """Synthesise the schedules alone, for a deployment that says this of its reviews."""
    import aws_cdk as cdk
    from aws_cdk import aws_stepfunctions

    from infra.cloud.constructs.review.schedules import ReviewSchedules
    from infra.cloud.review_settings import read_review_settings

    app = cdk.App(outdir=str(folder), analytics_reporting=False)
    stack = cdk.Stack(app, "schedules")
    machine = aws_stepfunctions.StateMachine(
        stack,
        "Machine",
        definition_body=aws_stepfunctions.DefinitionBody.from_string(
            '{"StartAt": "End", "States": {"End": {"Type": "Succeed"}}}'
        ),
    )
    review = read_review_settings(({"review_agent": "rules", "review_org": "an-org"} | context).get)
    ReviewSchedules(stack, "Schedules", machine=machine, review=review)
    app.synth()
    return Template(json.loads((folder / "schedules.template.json").read_text()), folder)


@pytest.fixture(scope="module")
def enabled(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return scheduled(tmp_path_factory.mktemp("enabled"), review_schedule="true", review_connection="reviewing")


def schedules(template: Template) -> list[dict[str, Any]]:
    return list(template.of_type("AWS::Scheduler::Schedule").values())


def told(template: Template) -> ReviewInput:
    inputs = {schedule["Target"]["Input"] for schedule in schedules(template)}
    (same,) = inputs
    return ReviewInput.model_validate_json(same)


def test_without_an_organisation_nothing_is_scheduled() -> None:
    assert [spell(one["Target"]["Arn"]) for one in schedules(synthesise())] == ["<SweepsweepdeliveriesFunction.Arn>"]


def test_reviews_run_every_three_hours_on_weekdays_and_twice_a_day_at_weekends(enabled: Template) -> None:
    assert {one["ScheduleExpression"] for one in schedules(enabled)} == {
        "cron(0 0/3 ? * MON-FRI *)",
        "cron(0 8,20 ? * SAT,SUN *)",
    }
    for schedule in schedules(enabled):
        assert schedule["ScheduleExpressionTimezone"] == "UTC"
        assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}


@pytest.mark.parametrize(("said", "state"), [({}, "DISABLED"), ({"review_schedule": True}, "ENABLED")])
def test_schedules_start_nothing_until_the_deployment_says_so(
    said: dict[str, object], state: str, tmp_path: Path
) -> None:
    assert [one["State"] for one in schedules(scheduled(tmp_path, **said))] == [state, state]


def test_a_scheduled_run_says_so_and_leaves_its_mode_to_the_setting(enabled: Template) -> None:
    """Which is off until an operator turns it on, so a schedule's run is dry by default (review §9.2)."""
    assert told(enabled) == ReviewInput(
        connection="reviewing", inputs={"org": "an-org"}, started_by=StartedBy.SCHEDULE, replay_of=None
    )


def test_the_inputs_are_such_as_a_run_takes(tmp_path: Path) -> None:
    given = told(scheduled(tmp_path, review_agent="claude", review_model="model-1", review_model_domains="a.example"))
    inputs = read_inputs(given.inputs, has_app=True)
    assert inputs == ReviewInputs(org="an-org", model="model-1")


def test_a_start_that_fails_is_not_repeated_because_the_next_run_finds_what_it_would_have(enabled: Template) -> None:
    assert [one["Target"]["RetryPolicy"]["MaximumRetryAttempts"] for one in schedules(enabled)] == [0, 0]


def test_the_schedules_role_may_start_this_workflow_and_nothing_else(enabled: Template) -> None:
    assert {spell(one["Target"]["RoleArn"]) for one in schedules(enabled)} == {"<SchedulesCaller.Arn>"}
    assert {spell(one["Target"]["Arn"]) for one in schedules(enabled)} == {MACHINE}
    assert enabled.rights("SchedulesCaller") == {Right("states:StartExecution", MACHINE)}
    (trusted,) = enabled.of_type("AWS::IAM::Role")["SchedulesCaller"]["AssumeRolePolicyDocument"]["Statement"]
    assert trusted["Principal"] == {"Service": "scheduler.amazonaws.com"}
    assert spell(trusted["Condition"]["StringEquals"]["aws:SourceAccount"]) == "ACCOUNT"


def test_the_workflow_names_the_program_as_its_functions_name_the_one_that_the_layer_brings() -> None:
    template = synthesise()
    (core,) = (folder for folder in template.folder.glob("asset.*") if (folder / "python" / "autoswe").is_dir())
    deployed = template.workflow("scheduled_review")["DefinitionSubstitutions"]["ReleaseDigest"]
    assert deployed == installed_digest(core / "python" / "autoswe")


def test_the_cloud_assembly_and_the_program_name_the_same_tree_alike() -> None:
    assert release_digest() == installed_digest()


def test_one_changed_file_of_the_program_changes_its_name(tmp_path: Path) -> None:
    for content in ("before", "after"):
        (tmp_path / content / "rules").mkdir(parents=True)
        (tmp_path / content / "rules" / "rule.py").write_text(content)
        (tmp_path / content / "rules" / "__pycache__").mkdir()
        (tmp_path / content / "rules" / "__pycache__" / f"{content}.pyc").write_text("")
    assert release_digest(tmp_path / "before") != release_digest(tmp_path / "after")
    (tmp_path / "before" / "rules" / "rule.py").write_text("after")
    assert release_digest(tmp_path / "before") == release_digest(tmp_path / "after")
    assert release_digest(tmp_path / "after") == installed_digest(tmp_path / "after")


def test_the_folders_of_reviews_are_those_that_the_program_names() -> None:
    from autoswe.rules.review.run.naming import evidence_key, report_key, result_key, session_key

    assert evidence_key("run", "x").startswith(EVIDENCE)
    assert session_key("run", "entry", 1, "x").startswith(SESSIONS)
    assert result_key("run", "entry", 1, "x").startswith(RESULTS)
    assert report_key("run", 1, "x").startswith(REPORTS)
