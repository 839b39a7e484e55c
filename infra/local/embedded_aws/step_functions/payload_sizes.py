"""The size of what goes into and comes out of a state, counted as Step Functions counts it.

A state's input and output and a task's parameters and result may have 256 KiB as JSON in UTF-8 (AWS Step Functions,
"Step Functions service quotas"). moto counts the blanks and escapes of its own spelling, refuses what is exactly as
large, and lets any parameters through.
"""

import json
from typing import Any

from moto.stepfunctions.parser.asl.component.state import state
from moto.stepfunctions.parser.asl.component.state.exec.state_task import state_task_lambda
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service

from infra.local.embedded_aws.patches import Patches

MAX_PAYLOAD_BYTES = 262_144


def fits(value: Any) -> bool:
    """Tell whether a JSON value may be a state's input or output, or a task's result."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode(errors="surrogatepass")) <= MAX_PAYLOAD_BYTES


def install(patches: Patches) -> None:
    """Have the engine count so wherever it counts."""
    for module in (state, state_task_lambda, state_task_service):
        patches.attribute(module, "is_within_size_quota", fits)

    def before_eval_execution(
        self: Any, env: Any, resource_runtime_part: Any, raw_parameters: Any, state_credentials: Any
    ) -> None:
        self._verify_size_quota(env, raw_parameters)
        original(self, env, resource_runtime_part, raw_parameters, state_credentials)

    original = patches.method(state_task_service.StateTaskService, "_before_eval_execution", before_eval_execution)
