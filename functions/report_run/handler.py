"""Lambda entry of the state "Report run" and of the rule on executions that ended badly."""

from autoswe.runtime import review_wiring
from autoswe.runtime.review_workflow import run_entry
from autoswe.steps.report_run import report_run

handler = run_entry(report_run, review_wiring.report_run, judges_release=True)
