"""Which rounds are taken up again after they failed, how often, and for how long (feedback §10)."""

from datetime import datetime, timedelta

MOST_ATTEMPTS = 3
"""How often a decision's round is tried in all."""

TIME_FOR_ATTEMPTS = timedelta(hours=24)
"""How long after its decision a round may be taken up again."""

INTERRUPTED = frozenset({"Execution.TIMED_OUT", "Execution.FAILED"})
"""Ends of a workflow that no state of it has told of; one that an operator aborted stays aborted."""

_PASSING = frozenset(
    {
        "Unavailable",
        "PartialAnswer",
        "RateLimited",
        "NotYet",
        "Forbidden",
        "Contended",
        "AwsCallFailed",
        *INTERRUPTED,
    }
)
_OF_SERVICES = ("Lambda.", "Sandbox.", "Runtime.", "ECS.", "AmazonECS.")


def passes(error: str) -> bool:
    """Say whether an error is one of a moment, after which the same may succeed.

    Names of errors are those that Step Functions gives ("Handling errors in Step Functions workflows", "Managing
    Lambda states", "Run Amazon ECS or Fargate tasks"). A fixer that failed or hung is no such error: it would again.
    """
    return error in _PASSING or error.startswith(_OF_SERVICES)


def may_be_taken_up(attempt: int, decided_at: datetime, now: datetime) -> bool:
    """Say whether an attempt after this one, numbered from 0, may still follow."""
    return attempt + 1 < MOST_ATTEMPTS and now - decided_at < TIME_FOR_ATTEMPTS
