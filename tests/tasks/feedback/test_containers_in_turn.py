"""The three containers of one task, one after another, as the task definition orders them (architecture §5)."""

import hashlib

from autoswe.contracts.feedback.fixing import BriefSuggestion, ChangeOperation, GateStatus, ThreadOutcomeKind
from tests.tasks.containers import Task, shell_gate
from tests.tasks.source_trees import text_file

SOURCE = (text_file("app.txt", "wrong\n"),)
FIX = BriefSuggestion(label="T1", path="app.txt", start_line=1, end_line=1, lines=("right",))


def test_a_suggestion_becomes_a_judged_change(task: Task) -> None:
    assert task.run("agent", task.agent_manifest(SOURCE, FIX)).exit_code == 0
    assert task.run("collect", task.collect_manifest(SOURCE)).exit_code == 0
    assert task.run("gates", task.gates_manifest(SOURCE, shell_gate("grep right app.txt"))).exit_code == 0
    assert [(told.label, told.outcome, told.places) for told in task.outcome.threads] == [
        ("T1", ThreadOutcomeKind.ADDRESSED, ("app.txt",)),
        ("T99", ThreadOutcomeKind.NEEDS_PERSON, ()),
    ]
    assert [(file.path, file.op) for file in task.change.files] == [("app.txt", ChangeOperation.MODIFY)]
    assert [gate.status for gate in task.report.gates] == [GateStatus.PASSED]
    assert task.report.change_sha256 == hashlib.sha256(task.storage.objects["change.json"]).hexdigest()


def test_an_agent_that_fails_ends_the_task_without_a_report(task: Task) -> None:
    ends = [
        task.run("agent", b"garbage"),
        task.run("collect", task.collect_manifest(SOURCE)),
        task.run("gates", task.gates_manifest(SOURCE, shell_gate("true"))),
    ]
    assert [(end.exit_code, end.log) for end in ends] == [
        (1, "the manifest is not as agreed: json_invalid at 'the top'\n"),
        (1, "the workspace cannot be read: No such file or directory\n"),
        (1, "the change could not be fetched: the answer was 404\n"),
    ]
    assert {"outcome.json", "change.json", "gates.json"}.isdisjoint(task.storage.objects)
