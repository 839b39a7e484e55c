"""The workflow engine ends, retries, catches, waits and nests as Step Functions does."""

import json
from collections import Counter
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto.stepfunctions.parser.backend.execution_worker import ExecutionWorker

from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.step_functions.state_machines import ExecutionUnfinished
from tests.infra.conftest import Account, invoke, until

CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}


class Throttled(Exception):
    """A failure that a retry names."""


class HeadMoved(Exception):
    """A failure that a catcher names."""


def raiser(error: Exception, times: int = 99) -> Any:
    left = [error] * times

    def handler(_event: Any, _context: Any) -> str:
        if left:
            raise left.pop()
        return "done"

    return handler


def test_catch_sees_the_class_name_of_a_handlers_exception(account: Account) -> None:
    account.handlers["push"] = raiser(HeadMoved("someone pushed"))
    catch = [
        {"ErrorEquals": ["Throttled"], "Next": "Wrong"},
        {"ErrorEquals": ["HeadMoved"], "ResultPath": "$.error", "Next": "Right"},
    ]
    execution = account.run({"Push": invoke("push", Catch=catch), "Wrong": CAUGHT, "Right": CAUGHT})
    assert execution.status == "SUCCEEDED"
    assert execution.state_names == ("Push", "Right")
    assert execution.output["error"]["Error"] == "HeadMoved"
    cause = json.loads(execution.output["error"]["Cause"])
    assert cause["errorType"] == "HeadMoved"
    assert cause["errorMessage"] == "someone pushed"


def test_retry_by_class_name_backs_off_on_the_clock_and_counts_each_attempt_as_a_transition(account: Account) -> None:
    account.handlers["gather"] = raiser(Throttled(), times=2)
    waited: list[float] = []
    account.aws.clock.on_wait = waited.append
    retry = [{"ErrorEquals": ["Throttled"], "IntervalSeconds": 600, "BackoffRate": 2.0, "MaxAttempts": 3}]
    execution = account.run({"Gather": invoke("gather", Retry=retry)})
    account.aws.clock.on_wait = None
    assert execution.status == "SUCCEEDED"
    assert waited == [600, 1200]
    assert execution.transitions == 3


def test_executions_of_one_workflow_do_not_share_their_retries_or_their_items(account: Account) -> None:
    attempts: Counter[int] = Counter()

    def gather(event: int, _context: Any) -> int:
        attempts[event] += 1
        if attempts[event] <= event % 3:
            raise Throttled
        return event

    account.handlers["gather"] = gather
    retry = [{"ErrorEquals": ["Throttled"], "IntervalSeconds": 1, "MaxAttempts": 2}]
    processor = {"StartAt": "Gather", "States": {"Gather": invoke("gather", Retry=retry)}}
    each = {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor, "End": True}
    arn = account.aws.deploy("shared", json.dumps({"StartAt": "Each", "States": {"Each": each}}), {})
    items = [list(range(start, start + 3)) for start in range(0, 18, 3)]
    started = [account.aws.start(arn, f"n-{row[0]}", json.dumps({"items": row})) for row in items]
    outputs = [account.aws.wait(execution).output for execution in started]
    assert [[item["result"] for item in output] for output in outputs] == items
    assert attempts == {item: 1 + item % 3 for item in range(18)}


def test_an_error_that_no_retry_or_catch_names_fails_the_execution_with_its_name(account: Account) -> None:
    account.handlers["gather"] = raiser(HeadMoved())
    retry = [{"ErrorEquals": ["Throttled"], "MaxAttempts": 3}]
    execution = account.run({"Gather": invoke("gather", Retry=retry)})
    assert (execution.status, execution.error) == ("FAILED", "HeadMoved")


def test_a_function_that_does_not_exist_is_a_lambda_error(account: Account) -> None:
    execution = account.run({"Go": invoke("nobody")})
    assert (execution.status, execution.error) == ("FAILED", "Lambda.ResourceNotFoundException")


def test_waiting_moves_the_clock_and_takes_no_real_time(account: Account) -> None:
    waited: list[float] = []
    account.aws.clock.on_wait = waited.append
    before = account.aws.clock.now()
    execution = account.run({"Wait": {"Type": "Wait", "Seconds": 7200, "Next": "After"}, "After": CAUGHT})
    account.aws.clock.on_wait = None
    assert waited == [7200]
    assert account.aws.clock.now() - before >= timedelta(hours=2)
    assert execution.states[1].at - execution.states[0].at >= timedelta(hours=2)
    assert execution.stopped_at is not None
    assert execution.stopped_at - execution.started_at >= timedelta(hours=2)


def test_a_wait_that_pauses_for_people_to_watch_ends_at_once_when_its_execution_is_aborted(account: Account) -> None:
    account.aws.clock.pause_per_wait = 3600
    before = account.aws.clock.now()
    arn = account.begin({"Wait": {"Type": "Wait", "Seconds": 7200, "End": True}})
    account.aws.stop(arn)
    execution = account.aws.wait(arn)
    account.aws.clock.pause_per_wait = 0
    assert execution.status == "ABORTED"
    assert account.aws.clock.now() - before < timedelta(hours=1)


def test_a_wait_until_a_timestamp_moves_the_clock_there_to_the_second(account: Account) -> None:
    until = (account.aws.clock.now() + timedelta(days=1)).replace(microsecond=0)
    wait = {"Type": "Wait", "TimestampPath": "$.until", "End": True}
    account.run({"Wait": wait}, {"until": until.strftime("%Y-%m-%dT%H:%M:%SZ")})
    assert account.aws.clock.now() >= until - timedelta(seconds=1)


def test_the_context_object_tells_the_local_time(account: Account) -> None:
    account.aws.clock.advance(86_400)
    before = account.aws.clock.now()
    parameters = {"start.$": "$$.Execution.StartTime", "entered.$": "$$.State.EnteredTime"}
    execution = account.run({"Look": {"Type": "Pass", "Parameters": parameters, "End": True}})
    assert execution.output["start"].endswith("Z")
    assert execution.output["start"] >= before.strftime("%Y-%m-%dT%H:%M:%S")
    assert execution.output["entered"] >= before.strftime("%Y-%m-%dT%H:%M:%S")


def test_a_workflow_that_waits_past_its_time_out_is_timed_out_at_that_moment(account: Account) -> None:
    told: list[Any] = []
    account.handlers["told"] = lambda event, _context: told.append(event)
    states = {"Wait": {"Type": "Wait", "Seconds": 500, "Next": "Never"}, "Never": CAUGHT}
    execution = account.run(states, TimeoutSeconds=100)
    assert execution.status == "TIMED_OUT"
    assert execution.state_names == ("Wait",)
    assert execution.stopped_at is not None
    assert timedelta(seconds=100) <= execution.stopped_at - execution.started_at < timedelta(seconds=200)
    assert [event["detail"]["status"] for event in told] == ["TIMED_OUT"]


def test_states_all_catches_a_handlers_error_but_no_data_limit_error(account: Account) -> None:
    catch = [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]
    account.handlers["small"] = raiser(HeadMoved())
    account.handlers["large"] = lambda _event, _context: "x" * (256 * 1024)
    caught = account.run({"Go": invoke("small", Catch=catch), "Caught": CAUGHT})
    uncaught = account.run({"Go": invoke("large", Catch=catch), "Caught": CAUGHT})
    assert caught.state_names == ("Go", "Caught")
    assert (uncaught.status, uncaught.error) == ("FAILED", "States.DataLimitExceeded")


def test_states_all_catches_no_runtime_error(account: Account) -> None:
    account.handlers["small"] = lambda _event, _context: {}
    state = invoke("small", Catch=[{"ErrorEquals": ["States.ALL"], "Next": "Caught"}])
    state["ResultSelector"] = {"missing.$": "$.Payload.nothing_there"}
    execution = account.run({"Go": state, "Caught": CAUGHT})
    assert (execution.status, execution.error) == ("FAILED", "States.Runtime")


def test_a_failed_execution_is_told_once_with_its_input_as_text(account: Account) -> None:
    told: list[Any] = []
    account.handlers["told"] = lambda event, _context: told.append(event)
    fail = {"Fail": {"Type": "Fail", "Error": "Broken", "Cause": "by design"}}
    execution = account.run(fail, {"decision": "d-1"})
    assert len(told) == 1
    event = told[0]
    assert event["source"] == "aws.states"
    assert event["detail-type"] == "Step Functions Execution Status Change"
    detail = event["detail"]
    assert detail["executionArn"] == execution.arn
    assert detail["stateMachineArn"] == execution.state_machine_arn
    assert (detail["name"], detail["status"]) == ("execution-1", "FAILED")
    assert json.loads(detail["input"]) == {"decision": "d-1"}
    assert detail["output"] is None


def test_a_successful_execution_is_not_told(account: Account) -> None:
    told: list[Any] = []
    account.handlers["told"] = lambda event, _context: told.append(event)
    account.run({"Done": CAUGHT})
    assert told == []


def test_a_target_that_fails_is_told_again_until_it_succeeds(account: Account) -> None:
    account.handlers["told"] = raiser(RuntimeError("not now"), times=2)
    before = len(account.aws.events.undelivered)
    account.run({"Fail": {"Type": "Fail"}})
    assert len(account.aws.events.undelivered) == before


def test_a_target_that_always_fails_leaves_the_event_undelivered(account: Account) -> None:
    attempts: list[Any] = []

    def told(event: Any, _context: Any) -> None:
        attempts.append(event)
        raise RuntimeError("never")

    account.handlers["told"] = told
    execution = account.run({"Fail": {"Type": "Fail"}})
    account.handlers["told"] = lambda _event, _context: None
    assert len(attempts) == 3
    assert account.aws.events.undelivered[-1]["detail"]["executionArn"] == execution.arn


def test_an_aborted_execution_stays_aborted_whatever_its_running_function_does(account: Account) -> None:
    started, finish = Event(), Event()
    told: list[Any] = []
    account.handlers["told"] = lambda event, _context: told.append(event)

    def slow(_event: Any, _context: Any) -> None:
        started.set()
        finish.wait(10)
        raise HeadMoved

    account.handlers["slow"] = slow
    waited: list[float] = []
    account.aws.clock.on_wait = waited.append
    catch = [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]
    retry = [{"ErrorEquals": ["States.ALL"], "MaxAttempts": 5}]
    arn = account.begin({"Go": invoke("slow", Catch=catch, Retry=retry), "Caught": CAUGHT})
    assert started.wait(10)
    account.aws.stop(arn)
    finish.set()
    execution = account.aws.wait(arn)
    account.aws.clock.on_wait = None
    assert execution.status == "ABORTED"
    assert execution.state_names == ("Go",)
    assert waited == []
    assert [event["detail"]["status"] for event in told] == ["ABORTED"]


def test_an_aborted_execution_stays_aborted_when_its_state_fails_afterwards(account: Account) -> None:
    begun: list[str] = []

    def abort_and_fail(_seconds: float) -> None:
        until(lambda: begun)
        account.aws.stop(begun[0])
        raise RuntimeError("the scenario is wrong")

    account.aws.clock.on_wait = abort_and_fail
    begun.append(account.begin({"Wait": {"Type": "Wait", "Seconds": 60, "End": True}}))
    execution = account.aws.wait(begun[0])
    account.aws.clock.on_wait = None
    assert execution.status == "ABORTED"


def test_an_execution_can_be_aborted_before_its_first_state(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    stopping, stopped = Event(), Event()
    account.handlers["slow"] = lambda _event, _context: stopped.wait(10)
    original = ExecutionWorker._get_evaluation_entrypoint

    def late_entrypoint(worker: Any) -> Any:
        stopping.wait(10)
        Event().wait(0.05)
        return original(worker)

    def announce(call: Call, effect: Effect) -> None:
        if call.operation == "StopExecution":
            stopping.set()
        effect()

    monkeypatch.setattr(ExecutionWorker, "_get_evaluation_entrypoint", late_entrypoint)
    account.aws.around_calls(announce)
    arn = account.begin({"Go": invoke("slow", Next="After"), "After": CAUGHT})
    account.aws.stop(arn)
    stopped.set()
    assert account.aws.wait(arn).status == "ABORTED"
    account.aws.around_calls(undisturbed)


def test_an_execution_that_runs_too_long_to_wait_for_says_where_it_stands(account: Account) -> None:
    finish = Event()
    account.handlers["slow"] = lambda _event, _context: finish.wait(10)
    arn = account.begin({"Go": invoke("slow")})
    with pytest.raises(ExecutionUnfinished, match="RUNNING after 0 s"):
        account.aws.wait(arn, 0)
    finish.set()
    assert account.aws.wait(arn).status == "SUCCEEDED"


def nested(child_arn: str, **fields: object) -> dict[str, Any]:
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::states:startExecution.sync:2",
        "Parameters": {
            "StateMachineArn": child_arn,
            "Name.$": "States.Format('{}-child', $$.Execution.Name)",
            "Input": {"number.$": "$.number"},
        },
        "End": True,
        **fields,
    }


def test_a_workflow_can_wait_for_another_one_and_use_its_output(account: Account) -> None:
    account.handlers["double"] = lambda event, _context: event["number"] * 2
    child = account.aws.deploy("child", json.dumps({"StartAt": "Go", "States": {"Go": invoke("double")}}), {})
    execution = account.run({"Nest": nested(child, OutputPath="$.Output.result")}, {"number": 21})
    assert execution.output == 42
    assert [e.name for e in account.aws.executions() if e.state_machine_arn == child] == ["execution-1-child"]


def test_a_nested_execution_that_fails_is_a_failed_task_with_its_description_as_cause(account: Account) -> None:
    states = {"Fail": {"Type": "Fail", "Error": "Broken", "Cause": "by design"}}
    child = account.aws.deploy("failing", json.dumps({"StartAt": "Fail", "States": states}), {})
    catch = [{"ErrorEquals": ["States.TaskFailed"], "Next": "Caught"}]
    execution = account.run({"Nest": nested(child, Catch=catch), "Caught": CAUGHT}, {"number": 1})
    assert execution.state_names == ("Nest", "Caught")
    cause = json.loads(execution.output["Cause"])
    assert (cause["Status"], cause["Error"]) == ("FAILED", "Broken")


def test_aborting_a_workflow_aborts_the_one_it_waits_for(account: Account) -> None:
    started, finish = Event(), Event()

    def slow(_event: Any, _context: Any) -> None:
        started.set()
        finish.wait(10)

    account.handlers["slow"] = slow
    child = account.aws.deploy("slow-child", json.dumps({"StartAt": "Go", "States": {"Go": invoke("slow")}}), {})
    stops: list[Call] = []

    def finish_when_both_are_stopped(call: Call, effect: Effect) -> None:
        effect()
        if call.operation == "StopExecution":
            stops.append(call)
        if len(stops) == 2:
            finish.set()

    account.aws.around_calls(finish_when_both_are_stopped)
    arn = account.begin({"Nest": nested(child)}, {"number": 1})
    assert started.wait(10)
    account.aws.stop(arn)
    assert account.aws.wait(arn).status == "ABORTED"
    account.aws.around_calls(undisturbed)
    assert [e.status for e in account.aws.executions() if e.state_machine_arn == child] == ["ABORTED"]


def test_a_name_can_be_used_once_while_a_repeated_start_of_what_still_runs_is_the_same_execution(
    account: Account,
) -> None:
    finish = Event()
    account.handlers["slow"] = lambda _event, _context: finish.wait(10)
    arn = account.aws.deploy("once", json.dumps({"StartAt": "Go", "States": {"Go": invoke("slow")}}), {})
    execution = account.aws.start(arn, "fb-1", "{}")
    assert account.aws.start(arn, "fb-1", "{}") == execution
    with pytest.raises(ClientError, match="ExecutionAlreadyExists"):
        account.aws.start(arn, "fb-1", '{"other": "input"}')
    finish.set()
    account.aws.wait(execution)
    with pytest.raises(ClientError, match="ExecutionAlreadyExists"):
        account.aws.start(arn, "fb-1", "{}")


def test_an_execution_without_a_name_is_refused(account: Account) -> None:
    arn = account.aws.deploy("unnamed", '{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}', {})
    with pytest.raises(ClientError, match="needs a name"):
        account.aws.workflows.start({"stateMachineArn": arn})


def test_a_map_runs_each_item_and_lists_the_states_inside(account: Account) -> None:
    account.handlers["double"] = lambda event, _context: event * 2
    processor = {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "Double", "States": {"Double": invoke("double")}}
    state = {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 2, "ItemProcessor": processor, "End": True}
    execution = account.run({"Each": state}, {"items": [1, 2, 3]})
    assert [item["result"] for item in execution.output] == [2, 4, 6]
    assert execution.state_names == ("Each", "Double", "Double", "Double")
