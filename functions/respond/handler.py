"""Lambda entry of the state "Respond"."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.respond import respond

handler = entry(respond, wiring.respond)
