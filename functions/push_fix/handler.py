"""Lambda entry of the state "Push fix"."""

from autoswe.runtime.feedback import wiring
from autoswe.runtime.feedback.workflow import entry
from autoswe.steps.feedback.push_fix import push_fix

handler = entry(push_fix, wiring.push_fix)
