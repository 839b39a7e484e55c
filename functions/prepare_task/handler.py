"""Lambda entry of the state "Prepare task"."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.prepare_task import prepare_task

handler = entry(prepare_task, wiring.prepare_task)
