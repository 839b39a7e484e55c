"""Containers run as on Fargate: alone, in order, with what they were given and nothing else, and gone when stopped."""

import json
import os
import sys
from pathlib import Path
from threading import Event
from typing import Any

import boto3
import pytest

from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.ecs.containers import Container, TaskDefinition
from infra.local.embedded_aws.ecs.tasks import MAX_OUTPUT_BYTES, Task
from tests.infra.conftest import Account, invoke, run_task, until

CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}
PROGRAM = [sys.executable, "-c", "import os; exec(os.environ.get('PROGRAM', ''))"]


@pytest.fixture(scope="module")
def task_definitions() -> list[TaskDefinition]:
    return [
        TaskDefinition("program", [Container("main", PROGRAM)]),
        TaskDefinition("missing", [Container("main", ["no-such-command"])]),
        TaskDefinition("configured", [Container("main", PROGRAM, environment={"A": "defined", "B": "defined"})]),
        TaskDefinition(
            "three",
            [
                Container("gates", PROGRAM, depends_on=[("collect", "SUCCESS")]),
                Container("collect", PROGRAM, essential=False, depends_on=[("agent", "COMPLETE")]),
                Container("agent", PROGRAM, essential=False),
            ],
        ),
    ]


def last_task(account: Account) -> Task:
    return account.aws.tasks.started[-1]


def three(programs: dict[str, str]) -> dict[str, Any]:
    state = run_task("", family="three", container="agent")
    state["Parameters"]["Overrides"]["ContainerOverrides"] = [
        {"Name": name, "Environment": [{"Name": "PROGRAM", "Value": program}]} for name, program in programs.items()
    ]
    return state


def test_a_task_that_succeeds_is_described_as_stopped_with_its_exit_codes(account: Account) -> None:
    execution = account.run({"Run": run_task("print('hello')")})
    assert execution.status == "SUCCEEDED"
    assert execution.output["LastStatus"] == "STOPPED"
    assert execution.output["StopCode"] == "EssentialContainerExited"
    assert [(c["Name"], c["ExitCode"]) for c in execution.output["Containers"]] == [("main", 0)]
    assert last_task(account).output("main") == "hello\n"


def test_an_essential_container_that_fails_is_a_failed_task_with_its_description_as_cause(account: Account) -> None:
    catch = [{"ErrorEquals": ["States.TaskFailed"], "Next": "Caught"}]
    execution = account.run({"Run": run_task("print('why'); raise SystemExit(3)", Catch=catch), "Caught": CAUGHT})
    assert execution.state_names == ("Run", "Caught")
    assert execution.output["Error"] == "States.TaskFailed"
    assert json.loads(execution.output["Cause"])["Containers"][0]["ExitCode"] == 3
    assert account.aws.failed_tasks()[-1].output("main") == "why\n"


def test_a_container_whose_command_is_missing_fails_and_says_so(account: Account) -> None:
    account.run({"Run": run_task("", family="missing")})
    assert last_task(account).exit_codes == {"main": 127}
    assert "no-such-command" in last_task(account).output("main")


def test_a_container_sees_only_what_it_was_given(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "x")
    account.run({"Run": run_task("import json; print(json.dumps(dict(os.environ)))")})
    environment = json.loads(last_task(account).output("main"))
    assert set(environment) == {"PATH", "HOME", "LANG", "AUTOSWE_SCRATCH", "PROGRAM"}
    assert environment["HOME"] != os.environ["HOME"]


def test_overrides_win_over_the_task_definition(account: Account) -> None:
    state = run_task("print(os.environ['A'], os.environ['B'])", family="configured")
    state["Parameters"]["Overrides"]["ContainerOverrides"][0]["Environment"].append(
        {"Name": "B", "Value": "overridden"}
    )
    account.run({"Run": state})
    assert last_task(account).output("main") == "defined overridden\n"


def test_containers_run_in_the_order_of_their_dependencies_and_share_a_scratch_folder(account: Account) -> None:
    append = "open(os.environ['AUTOSWE_SCRATCH'] + '/log', 'a').write('{} '); "
    programs = {name: append.format(name) for name in ("gates", "collect", "agent")}
    programs["gates"] += "print(open(os.environ['AUTOSWE_SCRATCH'] + '/log').read())"
    execution = account.run({"Run": three(programs)})
    assert execution.status == "SUCCEEDED"
    assert last_task(account).output("gates").split() == ["agent", "collect", "gates"]


def test_containers_have_homes_of_their_own_and_nothing_is_left_of_them(account: Account) -> None:
    show = "print(os.environ['HOME'], os.environ['AUTOSWE_SCRATCH'], os.listdir(os.environ['HOME'])); "
    plant = "open(os.environ['HOME'] + '/.profile', 'w').close()"
    account.run({"Run": three(dict.fromkeys(("agent", "collect", "gates"), show + plant))})
    shown = [last_task(account).output(name).split() for name in ("agent", "collect", "gates")]
    assert len({home for home, _, _ in shown}) == 3
    assert {listing for _, _, listing in shown} == {"[]"}
    assert not any(Path(folder).exists() for home, scratch, _ in shown for folder in (home, scratch))


def test_a_container_that_waits_for_the_end_of_another_starts_after_its_failure(account: Account) -> None:
    execution = account.run({"Run": three({"agent": "raise SystemExit(9)"})})
    assert execution.status == "SUCCEEDED"
    assert last_task(account).exit_codes == {"agent": 9, "collect": 0, "gates": 0}


def test_a_container_that_waits_for_the_success_of_another_never_starts_after_its_failure(account: Account) -> None:
    execution = account.run({"Run": three({"collect": "raise SystemExit(9)"})})
    assert (execution.status, execution.error) == ("FAILED", "States.TaskFailed")
    assert last_task(account).exit_codes == {"agent": 0, "collect": 9}


def test_the_output_that_is_kept_is_capped(account: Account) -> None:
    account.run({"Run": run_task(f"print('x' * {MAX_OUTPUT_BYTES + 10_000})")})
    assert last_task(account).exit_codes == {"main": 0}
    assert len(last_task(account).output("main")) == MAX_OUTPUT_BYTES


# A program that starts a child in a session of its own, says who both are, and goes on for ever.
FOR_EVER = """
import subprocess, sys, time
loop = "import signal\\nwhile True: signal.pause()"
child = subprocess.Popen([sys.executable, "-c", loop], start_new_session=True)
print(os.getpid(), child.pid, flush=True)
exec(loop)
"""
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("program", [FOR_EVER, DEAF + FOR_EVER], ids=["obedient", "deaf"])
def test_a_task_that_times_out_is_killed_with_everything_it_started_before_the_workflow_goes_on(
    account: Account, program: str
) -> None:
    seen: list[list[bool]] = []

    def look(_event: Any, _context: Any) -> None:
        seen.append([alive(int(pid)) for pid in last_task(account).output("main").split()])

    account.handlers["look"] = look
    catch = [{"ErrorEquals": ["States.Timeout"], "Next": "Look"}]
    execution = account.run({"Run": run_task(program, TimeoutSeconds=1, Catch=catch), "Look": invoke("look")})
    assert execution.state_names == ("Run", "Look")
    assert seen == [[False, False]]
    assert last_task(account).describe()["StopCode"] == "UserInitiated"


def test_a_task_that_starts_only_after_its_state_timed_out_is_stopped_nevertheless(account: Account) -> None:
    over = Event()
    account.handlers["note"] = lambda _event, _context: over.set()

    def start_late(call: Call, effect: Effect) -> None:
        if call.operation == "RunTask":
            over.wait(10)
        effect()

    account.aws.around_calls(start_late)
    catch = [{"ErrorEquals": ["States.Timeout"], "Next": "Note"}]
    before = len(account.aws.tasks.started)
    execution = account.run({"Run": run_task(FOR_EVER, TimeoutSeconds=1, Catch=catch), "Note": invoke("note")})
    account.aws.around_calls(undisturbed)
    assert execution.state_names == ("Run", "Note")
    until(lambda: len(account.aws.tasks.started) > before and last_task(account).wait(0))


def test_aborting_the_execution_kills_its_task(account: Account) -> None:
    before = len(account.aws.tasks.started)
    arn = account.begin({"Run": run_task("print(os.getpid(), flush=True)\nimport signal\nwhile True: signal.pause()")})
    until(lambda: len(account.aws.tasks.started) > before and last_task(account).output("main").endswith("\n"))
    pid = int(last_task(account).output("main"))
    assert alive(pid)
    account.aws.stop(arn)
    execution = account.aws.wait(arn)
    assert execution.status == "ABORTED"
    assert not alive(pid)
    history = boto3.client("stepfunctions").get_execution_history(executionArn=arn)["events"]
    assert [event["type"] for event in history][-2:] == ["TaskSubmitted", "ExecutionAborted"]


def test_what_a_container_leaves_running_dies_with_it(account: Account) -> None:
    leave = FOR_EVER.replace("exec(loop)", "")
    account.run({"Run": run_task(leave)})
    assert [alive(int(pid)) for pid in last_task(account).output("main").split()] == [False, False]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"TaskDefinition": "unknown"}, "ECS.ClientException"),
        ({"Overrides": {"ContainerOverrides": [{"Name": "other"}]}}, "ECS.InvalidParameterException"),
        ({"Overrides": {"ContainerOverrides": [{"Name": "main", "Command": ["x"]}]}}, "ECS.InvalidParameterException"),
        (
            {"Overrides": {"ContainerOverrides": [{"Name": "main", "Environment": [{"Name": "N", "Value": 1}]}]}},
            "ECS.InvalidParameterException",
        ),
    ],
)
def test_what_ecs_refuses_is_an_error_of_the_task_state(account: Account, change: dict[str, Any], error: str) -> None:
    before = len(account.aws.tasks.started)
    state = run_task("")
    state["Parameters"] |= change
    execution = account.run({"Run": state})
    assert (execution.status, execution.error) == ("FAILED", error)
    assert len(account.aws.tasks.started) == before


@pytest.mark.parametrize(("characters", "status"), [(8_192, "SUCCEEDED"), (8_193, "FAILED")])
def test_overrides_may_have_8192_characters_in_all(account: Account, characters: int, status: str) -> None:
    frame = len('{"ContainerOverrides":[{"Name":"main","Environment":[{"Name":"PROGRAM","Value":""}]}]}')
    execution = account.run({"Run": run_task("#" * (characters - frame))})
    assert execution.status == status
    assert execution.error == (None if status == "SUCCEEDED" else "ECS.InvalidParameterException")


@pytest.mark.parametrize(
    ("containers", "complaint"),
    [
        ([Container("a", ["x"], essential=False)], "no essential container"),
        ([Container("a", ["x"]), Container("a", ["x"])], "must be unique"),
        ([Container("a", ["x"], depends_on=[("b", "COMPLETE")])], "depends on b, which is not there"),
        ([Container("a", ["x"], depends_on=[("b", "COMPLETE")]), Container("b", ["x"])], "which is essential"),
        ([Container("a", ["x"], depends_on=[("b", "HEALTHY")]), Container("b", ["x"], essential=False)], "HEALTHY"),
        ([Container("a", ["x"]), Container("b", ["x"])], "would run at the same time"),
        (
            [
                Container("a", ["x"]),
                Container("b", ["x"], essential=False, depends_on=[("c", "COMPLETE")]),
                Container("c", ["x"], essential=False, depends_on=[("b", "COMPLETE")]),
            ],
            "wait for each other",
        ),
    ],
)
def test_a_task_definition_that_ecs_refuses_or_that_needs_concurrency_is_refused(
    containers: list[Container], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        TaskDefinition("family", containers)
