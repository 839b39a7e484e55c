"""EventBridge: tells a function of each execution that ended badly."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.functions.functions import FunctionError, Functions
from infra.local.embedded_aws.step_functions.executions import Execution

DELIVERED_STATUSES = frozenset({"FAILED", "TIMED_OUT", "ABORTED"})
MAX_ATTEMPTS = 3
MAX_DATA_BYTES = 248 * 1024


class ExecutionEvents:
    """The rules on executions that failed, timed out or were aborted.

    Each is delivered once to its state machine's target; a function that fails is asked again, ``MAX_ATTEMPTS`` times
    in all, after which the event is in ``undelivered``. Of a state machine without a target nothing is delivered.
    """

    def __init__(self, functions: Functions, targets: Mapping[str, str] | str | None) -> None:
        self.undelivered: list[Mapping[str, Any]] = []
        self._functions = functions
        self._targets = targets

    def _target(self, execution: Execution) -> str | None:
        if self._targets is None or isinstance(self._targets, str):
            return self._targets
        return self._targets.get(execution.state_machine_arn.rpartition(":")[2])

    def deliver(self, execution: Execution) -> None:
        """Tell the target of an execution that just ended, if it ended badly."""
        target = self._target(execution)
        if target is None or execution.status not in DELIVERED_STATUSES:
            return
        event = status_change(execution)
        for _ in range(MAX_ATTEMPTS):
            try:
                self._functions.invoke(target, event)
            except (FunctionError, ServiceFault, ConnectionError):
                continue
            return
        self.undelivered.append(event)


def status_change(execution: Execution) -> dict[str, Any]:
    """Build the event "Step Functions Execution Status Change".

    The input is left out when it and the output have more than 248 KiB together, escaped as JSON text, the output when
    it alone has (AWS Step Functions: "Automating Step Functions event delivery with EventBridge").
    """
    detail = execution.detail()
    output_fits = _escaped_bytes(detail["output"]) <= MAX_DATA_BYTES
    input_fits = _escaped_bytes(detail["input"]) + _escaped_bytes(detail["output"]) <= MAX_DATA_BYTES
    return {
        "version": "0",
        "id": str(uuid4()),
        "detail-type": "Step Functions Execution Status Change",
        "source": "aws.states",
        "account": ACCOUNT_ID,
        "time": execution.last_change.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": REGION,
        "resources": [execution.arn],
        "detail": detail
        | {
            "input": detail["input"] if input_fits else None,
            "inputDetails": {"included": input_fits},
            "output": detail["output"] if output_fits else None,
            "outputDetails": {"included": output_fits} if detail["output"] is not None else None,
        },
    }


def _escaped_bytes(text: str | None) -> int:
    return 0 if text is None else len(json.dumps(text, ensure_ascii=False).encode(errors="surrogatepass"))
