"""Lambda entry of the state "Preflight"."""

from autoswe.runtime import review_wiring
from autoswe.runtime.review_workflow import run_entry
from autoswe.steps.preflight import preflight

handler = run_entry(preflight, review_wiring.preflight, judges_release=True)
