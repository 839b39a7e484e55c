"""Lambda entry of the state "Poll CI"."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.poll_ci import poll_ci

handler = entry(poll_ci, wiring.poll_ci)
