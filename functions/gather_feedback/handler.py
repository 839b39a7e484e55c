"""Lambda entry of the state "Gather feedback"."""

from autoswe.runtime import wiring
from autoswe.runtime.workflow import entry
from autoswe.steps.gather_feedback import gather_feedback

handler = entry(gather_feedback, wiring.gather_feedback)
