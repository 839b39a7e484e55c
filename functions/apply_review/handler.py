"""Lambda entry of the state "Apply review"."""

from autoswe.runtime.review import wiring as review_wiring
from autoswe.runtime.review.workflow import map_entry
from autoswe.steps.review.apply_review import apply_review

handler = map_entry(apply_review, review_wiring.apply_review)
