"""Lambda entry of the state "Gather feedback"."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.gather_feedback import gather_feedback

handler = entry(gather_feedback, wiring.gather_feedback)
