"""An inline Map runs its items as Step Functions does: bounded, each with its own failure."""

from threading import Lock
from typing import Any

from tests.infra.conftest import Account, invoke

FAILED: dict[str, Any] = {"Type": "Pass", "Parameters": {"error.$": "$.error.Error"}, "End": True}


class Refused(Exception):
    """A failure of one item."""


def review(account: Account) -> dict[str, Any]:
    catch = [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Entry failed"}]
    return {
        "Review": {
            "Type": "Map",
            "ItemsPath": "$.entries",
            "MaxConcurrencyPath": "$.at_once",
            "ItemSelector": {"entry.$": "$$.Map.Item.Value", "run.$": "$.run"},
            "ItemProcessor": {
                "ProcessorConfig": {"Mode": "INLINE"},
                "StartAt": "Apply",
                "States": {"Apply": invoke("apply", Catch=catch), "Entry failed": FAILED},
            },
            "ResultPath": "$.results",
            "End": True,
        }
    }


def test_one_items_failure_costs_that_item_alone_and_no_more_than_the_bound_run_at_once(account: Account) -> None:
    lock, running, most = Lock(), [0], [0]

    def apply(event: Any, _context: Any) -> Any:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        try:
            if event["entry"] == 3:
                raise Refused("not this one")
            return {"done": event["entry"], "run": event["run"]}
        finally:
            with lock:
                running[0] -= 1

    account.handlers["apply"] = apply
    for _ in range(2):
        execution = account.run(review(account), {"entries": [1, 2, 3, 4, 5], "at_once": 2, "run": "r1"})
        assert execution.status == "SUCCEEDED"
        results = execution.output["results"]
        assert results[2] == {"error": "Refused"}
        assert [results[index]["result"] for index in (0, 1, 3, 4)] == [
            {"done": entry, "run": "r1"} for entry in (1, 2, 4, 5)
        ]
    assert most[0] <= 2


def test_a_map_over_nothing_gives_nothing(account: Account) -> None:
    account.handlers["apply"] = lambda _event, _context: None
    execution = account.run(review(account), {"entries": [], "at_once": 2, "run": "r1"})
    assert (execution.status, execution.output["results"]) == ("SUCCEEDED", [])
