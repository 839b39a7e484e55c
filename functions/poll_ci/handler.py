"""Lambda entry of the state "Poll CI"."""

from autoswe.runtime import wiring
from autoswe.runtime.workflow import entry
from autoswe.steps.poll_ci import poll_ci

handler = entry(poll_ci, wiring.poll_ci)
