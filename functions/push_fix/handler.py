"""Lambda entry of the state "Push fix"."""

from autoswe.runtime import wiring
from autoswe.runtime.workflow import entry
from autoswe.steps.push_fix import push_fix

handler = entry(push_fix, wiring.push_fix)
