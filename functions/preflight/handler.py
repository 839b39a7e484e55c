"""Lambda entry of the state "Preflight"."""

from autoswe.runtime.review import wiring as review_wiring
from autoswe.runtime.review.workflow import run_entry
from autoswe.steps.review.preflight import preflight

handler = run_entry(preflight, review_wiring.preflight, judges_release=True)
