"""Lambda entry of the state "Prepare review"."""

from autoswe.runtime import review_wiring
from autoswe.runtime.review_workflow import map_entry
from autoswe.steps.prepare_review import prepare_review

handler = map_entry(prepare_review, review_wiring.prepare_review)
