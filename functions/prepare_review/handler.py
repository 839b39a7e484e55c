"""Lambda entry of the state "Prepare review"."""

from autoswe.runtime.review import wiring as review_wiring
from autoswe.runtime.review.workflow import map_entry
from autoswe.steps.review.prepare_review import prepare_review

handler = map_entry(prepare_review, review_wiring.prepare_review)
