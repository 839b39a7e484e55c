"""Logs of jobs, which are fetched from a blob store that is not the API.

Source: "Download job logs for a workflow run": the address expires after a minute. Observed: the store takes a
forwarded ``Authorization`` for its own, and refuses it; that it answers an address which expired with 403 is assumed.
"Specifying the range header for Blob service operations": parts are named by their first byte, and none is counted from
the end. Assumed: a range of another form is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.answers.tickets import Tickets
from infra.local.github_host.checks.checks import CheckRun

LIFE = timedelta(minutes=1)
_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


@dataclass
class JobLogs:
    """The logs that may be fetched."""

    _tickets: Tickets[CheckRun] = field(default_factory=lambda: Tickets(LIFE))

    def ticket(self, job: CheckRun, now: datetime) -> str:
        """Allow whoever shows the returned text to fetch a job's log."""
        return self._tickets.give(job, now)

    def fetch(self, ticket: str | None, authorization: str | None, asked: str | None, now: datetime) -> Reply:
        """Return the log as plain text, or the part of it that is asked for, or the store's own kind of refusal."""
        if authorization is not None:
            return _refusal(400, "InvalidAuthenticationInfo", "Authentication information is not in the right format.")
        job = self._tickets.redeem(ticket, now)
        if job is None or job.log is None:
            return _refusal(403, "AuthenticationFailed", "The request could not be authenticated.")
        return _part(job.log.encode(), _RANGE.fullmatch(asked or ""))


def _part(log: bytes, asked: re.Match[str] | None) -> Reply:
    if asked is None:
        return Reply(200, log.decode())
    first, last = int(asked[1]), min(int(asked[2] or len(log)), len(log) - 1)
    if first > last:
        return _refusal(416, "InvalidRange", "The range specified is invalid for the current size of the resource.")
    return Reply(206, log[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(log)}"})


def _refusal(status: int, code: str, message: str) -> Reply:
    text = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    return Reply(status, text, {"x-ms-error-code": code})
