"""A report on a run is taken whole or refused in one sentence."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.records.runs import MAX_TASK_CHARACTERS, ReportInvalid, RunReport, read_report
from tests.support.intake.runs import agent_run, report, run

AGENT: dict[str, Any] = json.loads(report(agent_run()).model_dump_json(exclude_none=True))
WORKFLOW: dict[str, Any] = json.loads(report(run(pull_number=7)).model_dump_json(exclude_none=True))


@pytest.mark.parametrize("told", [run(), run(pull_number=7), agent_run(), agent_run(pull_number=7)])
def test_what_is_kept_of_a_run_is_the_run(told: Any) -> None:
    assert read_report(report(told).dump()).run == told


def test_a_moment_is_kept_in_utc() -> None:
    given_moment = {"reported_at": "2026-11-30T13:00:00.25+01:00"}
    assert read_report(json.dumps(WORKFLOW | given_moment)).reported_at == datetime(
        2026, 11, 30, 12, 0, 0, 250_000, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("given_report", "sentence"),
    [
        (WORKFLOW | {"kind": "other"}, "wrong at kind"),
        (WORKFLOW | {"status": "parked"}, "wrong at status"),
        (WORKFLOW | {"reported_at": "2026-11-30T12:00:00"}, "wrong at reported_at"),
        (WORKFLOW | {"reported_at": 1764504000}, "wrong at reported_at"),
        (WORKFLOW | {"reported_at": "0001-01-01T00:00:00+14:00"}, "wrong at reported_at"),
        (WORKFLOW | {"author_id": True}, "wrong at author_id"),
        (WORKFLOW | {"author_id": 2**53}, "wrong at author_id"),
        (WORKFLOW | {"pull_number": 0}, "wrong at pull_number"),
        (WORKFLOW | {"run_id": "a b"}, "wrong at run_id"),
        (WORKFLOW | {"run_id": "a\n"}, "wrong at run_id"),
        (WORKFLOW | {"branch": "a\n"}, "wrong at branch"),
        (WORKFLOW | {"repository": "octo"}, "wrong at repository"),
        (WORKFLOW | {"request": "a description"}, "wrong at request"),
        (AGENT | {"scope": "everyone"}, "wrong at scope"),
        (AGENT | {"task": " \n"}, "wrong at task"),
        (AGENT | {"task": "x" * (MAX_TASK_CHARACTERS + 1)}, "wrong at task"),
        ({name: value for name, value in AGENT.items() if name != "task"}, "belong to an agent run"),
        (WORKFLOW | {"task": "Do it."}, "belong to an agent run"),
        ({name: value for name, value in WORKFLOW.items() if name != "branch"}, "wrong at branch"),
        ([], "the report is wrong"),
        (None, "the report is wrong"),
    ],
)
def test_a_report_with_a_fault_is_refused_and_the_fault_named(given_report: object, sentence: str) -> None:
    with pytest.raises(ReportInvalid) as refused:
        read_report(json.dumps(given_report))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_sentence_about_a_fault_does_not_repeat_what_was_given() -> None:
    with pytest.raises(ReportInvalid) as refused:
        read_report(json.dumps(AGENT | {"task": "zq" * MAX_TASK_CHARACTERS}))
    assert "zqzq" not in str(refused.value)


def test_a_task_as_long_as_it_may_be_is_kept_as_it_was_written() -> None:
    task = "\t" + "é" * (MAX_TASK_CHARACTERS - 2) + "\n"
    assert read_report(json.dumps(AGENT | {"task": task})).task == task


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    for given_text in (text, json.dumps(AGENT | {"task": text})):
        try:
            assert isinstance(read_report(given_text), RunReport)
        except ReportInvalid:
            continue
