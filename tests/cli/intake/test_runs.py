"""``autoswe runs`` records and reads runs as the bus does, on the table that the environment names."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from tests.support.fake_clock import FakeClock
from tests.support.golden import golden
from tests.support.mock_aws import running_on_mock_aws
from tests.support.mock_table import NAME, MockTable, mock_table

OPTIONS = ("--repository", "octo/widgets", "--run-id", "run-1", "--author-id", "201", "--branch", "feature")


@pytest.fixture
def rows() -> Iterator[MockTable]:
    with mock_table() as mocked, running_on_mock_aws({"AUTOSWE_TABLE": NAME}, FakeClock()):
        mocked.put("REPOSITORY#feedback#octo/widgets", "row", repository_id=4)
        yield mocked


def run(*arguments: str) -> Result:
    return CliRunner().invoke(assemble([]), ["runs", *arguments])


def told(*arguments: str) -> list[dict[str, object]]:
    """Run a command that must succeed, and return what it prints, line by line."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_report_in_a_file_is_recorded_as_one_on_the_bus(rows: MockTable, tmp_path: Path) -> None:
    event, expected = golden("record_run")
    file = tmp_path / "report.json"
    file.write_text(json.dumps(event["detail"]))
    assert told("record", str(file)) == [{name: value for name, value in expected.items() if value is not None}]
    assert told("list", "octo/widgets") == [event["detail"]]
    assert rows.get("PR#feedback#octo/widgets#7", "ORIGIN")["run_status"] == "awaiting_human_merge"


def test_a_report_in_options_is_about_now(rows: MockTable) -> None:
    assert told("record", *OPTIONS, "--pull-number", "7") == [
        {"outcome": "recorded", "run_id": "run-1", "status": "running", "pull_number": 7}
    ]
    (recorded,) = told("list", "octo/widgets")
    assert (recorded["kind"], recorded["reported_at"]) == ("tracked_workflow", "2026-11-30T12:00:00Z")
    assert told("list", "octo/other") == []


def test_an_agent_runs_task_comes_from_a_file(rows: MockTable, tmp_path: Path) -> None:
    task = tmp_path / "task.txt"
    task.write_text("Add a total.\n")
    agent = ("--kind", "agent_run", "--agent", "tidier", "--scope", "global", "--task-file", str(task))
    told("record", *OPTIONS, *agent, "--at", "2026-11-30T11:00:00Z")
    (recorded,) = told("list", "octo/widgets")
    assert (recorded["task"], recorded["scope"], recorded["reported_at"]) == (
        "Add a total.\n",
        "global",
        "2026-11-30T11:00:00Z",
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("record",), "the report is wrong at repository"),
        (("record", *OPTIONS, "--status", "parked"), "the report is wrong at status"),
        (("record", *OPTIONS, "--kind", "agent_run"), "belong to an agent run"),
        (("record", *OPTIONS, "--connection", "other"), "the platform has no record of octo/widgets"),
        (("record", "missing.json"), "missing.json cannot be read"),
        (("record", *OPTIONS, "--task-file", "missing.txt"), "missing.txt cannot be read"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_one_sentence_and_changes_nothing(
    rows: MockTable, arguments: tuple[str, ...], sentence: str
) -> None:
    before = rows.rows("")
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert rows.rows("") == before


def test_a_file_that_is_no_text_is_refused(rows: MockTable, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_bytes(b"\xff")
    assert "is no text in UTF-8" in run("record", str(file)).stderr


def test_records_that_cannot_be_used_are_told_in_a_sentence(rows: MockTable) -> None:
    rows.put("RUN#feedback#octo/widgets", "run-1", kind="newer")
    for arguments in (("list", "octo/widgets"), ("record", *OPTIONS)):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "the records cannot be used: the row RUN#feedback#octo/widgets / run-1 is wrong" in result.stderr
