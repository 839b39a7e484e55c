"""Lambda entry of the state "Respond"."""

from autoswe.runtime import wiring
from autoswe.runtime.workflow import entry
from autoswe.steps.respond import respond

handler = entry(respond, wiring.respond)
