"""Lambda entry of the state "Close round" and of the rule on executions that ended badly."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.close_round import close_round

handler = entry(close_round, wiring.close_round)
