"""The names a review run gives: its namespace and number, its objects in the bucket, its page (review §12, §18).

The first folder of a key says how long its objects are kept and which step may write them: ``evidence`` by
``select_pulls`` and ``prepare_review`` and ``sessions`` by the container, 7 days each; ``results`` by ``apply_review``
and ``reports`` by ``report_run``, 90 days each.
"""

import re
from enum import StrEnum
from hashlib import sha256

REVIEWS = "reviews"
"""The folder of everything that reviews keep in the bucket."""

_RUN_ID_DIGITS = 13
"""Hexadecimal digits of a run's number: 52 bits, which every reader of JSON keeps exact."""

NAMESPACE = re.compile(r"[0-9a-f]{16}-[0-9a-f]{32}")
"""What a namespace looks like."""


class Kept(StrEnum):
    """How long an object is kept, and by that whose it is: ``evidence`` and ``sessions`` 7 days, the others 90."""

    EVIDENCE = "evidence"
    SESSIONS = "sessions"
    RESULTS = "results"
    REPORTS = "reports"


_REPORT = re.compile(
    rf"{REVIEWS}/{Kept.REPORTS}/(?P<namespace>{NAMESPACE.pattern})/(?P<attempt>[1-9][0-9]{{0,8}})/report\.json"
)


def namespace_of(execution: str) -> str:
    """Return what names everything of the run that an execution (its ARN) began; a replay keeps it."""
    digest = sha256(execution.encode()).hexdigest()
    return f"{digest[:16]}-{digest[32:]}"


def run_number(namespace: str) -> int:
    """Return the run's number, from 1 to 2^52, by which the ledger names it."""
    return int(sha256(namespace.encode()).hexdigest()[:_RUN_ID_DIGITS], 16) + 1


def evidence_key(namespace: str, name: str) -> str:
    """Return where selection keeps an object about the whole run."""
    return f"{REVIEWS}/{Kept.EVIDENCE}/{namespace}/{name}"


def entry_key(namespace: str, entry: str, name: str) -> str:
    """Return where a trusted step keeps an object about one entry; ``entry`` is the entry's key."""
    return evidence_key(namespace, f"entries/{entry}/{name}")


def attempt_key(namespace: str, entry: str, attempt: int, name: str) -> str:
    """Return where one attempt at an entry keeps what is made for its session alone."""
    return entry_key(namespace, entry, f"{attempt}/{name}")


def session_key(namespace: str, entry: str, attempt: int, name: str) -> str:
    """Return where the session of one attempt at an entry leaves an object."""
    return _of_attempt(Kept.SESSIONS, namespace, entry, attempt, name)


def result_key(namespace: str, entry: str, attempt: int, name: str) -> str:
    """Return where applying keeps an object of one attempt at an entry."""
    return _of_attempt(Kept.RESULTS, namespace, entry, attempt, name)


def report_key(namespace: str, attempt: int, name: str) -> str:
    """Return where the report of one attempt keeps an object."""
    return f"{reports_folder(namespace)}{attempt}/{name}"


def reports_folder(namespace: str | None = None) -> str:
    """Return the folder of a run's reports, or without a namespace of all runs'; it ends with a slash."""
    return f"{REVIEWS}/{Kept.REPORTS}/" + (f"{namespace}/" if namespace else "")


def read_report_key(key: str) -> tuple[str, int] | None:
    """Return the namespace and the attempt whose ``report.json`` this key names; ``None`` when it names none."""
    named = _REPORT.fullmatch(key)
    return (named["namespace"], int(named["attempt"])) if named else None


def run_address(execution: str) -> str:
    """Return the page of an execution in the console of AWS, from its ARN."""
    region = execution.split(":")[3]
    return f"https://{region}.console.aws.amazon.com/states/home?region={region}#/v2/executions/details/{execution}"


def _of_attempt(kept: Kept, namespace: str, entry: str, attempt: int, name: str) -> str:
    return f"{REVIEWS}/{kept}/{namespace}/entries/{entry}/{attempt}/{name}"
