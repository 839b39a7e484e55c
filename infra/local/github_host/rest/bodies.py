"""Texts that people will read: which GitHub takes.

Observed: "Body is too long (maximum is 65536 characters)" for an issue comment, which counts characters and not bytes.
That replies are refused in the same form, and reviews in the form that reviews have, is assumed.

"Locking conversations": in a locked one only those write who can write to the repository. Observed: that an App is not
among them whatever its permissions, and the words; that replies in threads are refused in the same is assumed.
"""

from __future__ import annotations

from infra.local.github_host.answers.errors import ApiError, unprocessable
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.rest.routing import Request

LONGEST_BODY = 65_536
_LOCKED = "Unable to create comment because issue is locked."
TOO_LONG = f"Body is too long (maximum is {LONGEST_BODY} characters)"


def check_open_to_apps(pull: Pull) -> None:
    """Raise ApiError 403 where the conversation is locked."""
    if pull.locked:
        raise ApiError(403, _LOCKED)


def body_of(request: Request, resource: str) -> str:
    """Return the text of a comment; ApiError 422 when it is missing, blank or too long."""
    body: str = request.field("body", str)
    if not body.strip():
        raise unprocessable("Validation Failed", {"resource": resource, "code": "missing_field", "field": "body"})
    if len(body) > LONGEST_BODY:
        problem = {"resource": resource, "code": "unprocessable", "field": "data", "message": TOO_LONG}
        raise unprocessable("Validation Failed", problem)
    return body
