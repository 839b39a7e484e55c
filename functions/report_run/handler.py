"""Lambda entry of the state "Report run" and of the rule on executions that ended badly."""

from autoswe.runtime.review import wiring as review_wiring
from autoswe.runtime.review.workflow import run_entry
from autoswe.steps.review.report_run import report_run

handler = run_entry(report_run, review_wiring.report_run, judges_release=True)
