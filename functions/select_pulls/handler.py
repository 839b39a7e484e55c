"""Lambda entry of the state "Select pulls"."""

from autoswe.runtime import review_wiring
from autoswe.runtime.review_workflow import run_entry
from autoswe.steps.select_pulls import select_pulls

handler = run_entry(select_pulls, review_wiring.select_pulls)
