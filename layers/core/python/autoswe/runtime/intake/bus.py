"""The entry of the function that the bus of run reports calls: an event becomes a report, and one line of log.

EventBridge puts what a reporter said into ``detail``, and around it what it knows itself, such as the account
(Amazon EventBridge: "AWS service event metadata").
"""

import json
from collections.abc import Mapping
from typing import Any

from autoswe.contracts.records.runs import RecordOutcome, ReportInvalid, read_report
from autoswe.runtime.intake import wiring
from autoswe.runtime.log_line import log_line
from autoswe.runtime.process import current
from autoswe.steps.intake import record_run as recording


class RunReportRefused(Exception):
    """A report was not recorded; the message says why. The event is kept where what fails in vain is kept."""


def record_run(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Record what an event reports; raises ``RunReportRefused`` for what is no report, or contradicts the record."""
    fields = {"step": "record_run", "event": event["id"], "account": event["account"]}
    try:
        report = read_report(json.dumps(event["detail"]))
    except ReportInvalid as invalid:
        log_line({**fields, "outcome": RecordOutcome.REFUSED, "reason": "invalid", "detail": str(invalid)})
        raise RunReportRefused(str(invalid)) from invalid
    recorded = recording.record_run(report, wiring.record_run(current()))
    answer = recorded.model_dump(mode="json")
    log_line({**fields, "connection": report.connection, "repository": report.repository, **answer})
    if recorded.outcome is RecordOutcome.REFUSED:
        raise RunReportRefused(recorded.sentence)
    return answer
