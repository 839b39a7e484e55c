"""Lambda entry of the state "Prepare task"."""

from autoswe.runtime import wiring
from autoswe.runtime.workflow import entry
from autoswe.steps.prepare_task import prepare_task

handler = entry(prepare_task, wiring.prepare_task)
