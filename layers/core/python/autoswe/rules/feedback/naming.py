"""The names a round gives: its work branch, the markers of its comments and its objects in the bucket."""

from hashlib import sha256

from autoswe.rules.records.decisions import decision_digest


def work_branch(pull_number: int) -> str:
    """Return the branch a fix is put on before the pull request's own branch moves to it."""
    return f"auto-swe/feedback/pr-{pull_number}"


def work_branch_write(decision_id: str, pull_number: int) -> str:
    """Return the name of the write record that says this decision made the work branch."""
    return f"{work_branch(pull_number)}@{decision_digest(decision_id)[:16]}"


def summary_marker_key(pull_number: int) -> str:
    """Return the key that marks a pull request's one summary comment."""
    return f"pr-{pull_number}"


def reply_marker_key(decision_id: str, root_comment_id: int) -> str:
    """Return the key that marks a round's one reply in the thread that a comment opened."""
    return f"{decision_digest(decision_id)[:16]}-{root_comment_id}"


def artifact_key(decision_id: str, execution: str, name: str, *, follow_up: bool) -> str:
    """Return where one execution of a round keeps an object: neither two executions nor its two fixes share a key."""
    place = "follow-up/" if follow_up else ""
    return f"rounds/{decision_digest(decision_id)}/{sha256(execution.encode()).hexdigest()[:16]}/{place}{name}"


def report_key(decision_id: str, commit_sha: str) -> str:
    """Return where the report of a pushed commit is kept, so that a later execution finds it again."""
    return f"rounds/{decision_digest(decision_id)}/report-{commit_sha}.json"


def is_renamed(recorded: str, told: str | None) -> bool:
    """Say whether the host calls a repository otherwise than it is recorded; letter case is no other name."""
    return told is not None and told.casefold() != recorded.casefold()
