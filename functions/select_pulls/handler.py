"""Lambda entry of the state "Select pulls"."""

from autoswe.runtime.review import wiring as review_wiring
from autoswe.runtime.review.workflow import run_entry
from autoswe.steps.review.select_pulls import select_pulls

handler = run_entry(select_pulls, review_wiring.select_pulls)
