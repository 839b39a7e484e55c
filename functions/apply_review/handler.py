"""Lambda entry of the state "Apply review"."""

from autoswe.runtime import review_wiring
from autoswe.runtime.review_workflow import map_entry
from autoswe.steps.apply_review import apply_review

handler = map_entry(apply_review, review_wiring.apply_review)
