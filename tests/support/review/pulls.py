"""A pull request that every rule of selection lets through, to be changed in one place."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from autoswe.rules.review.pulls.candidate import Account, Candidate, Diff, PullState, Review
from autoswe.rules.review.pulls.selection import Policy

HEAD, BASE, OTHER = "a" * 40, "b" * 40, "c" * 40
PERSON = Account("User", "pat")
COPILOT = Account("Bot", "copilot-pull-request-reviewer")
MORNING, NOON, EVENING = (datetime(2026, 11, 30, hour, tzinfo=UTC) for hour in (8, 12, 18))
POLICY = Policy(org="acme")

STATE = PullState(
    state="OPEN",
    is_draft=False,
    mergeable="MERGEABLE",
    head_sha=HEAD,
    base_sha=BASE,
    updated_at=NOON,
    rollup="SUCCESS",
    changed_files=2,
    reviews=(),
    requested=(),
    threads=(),
)
DIFF = Diff(files=2, patch_bytes=1_000, head_sha=HEAD, base_sha=BASE)
READY = Candidate("acme/tool", 7, archived=False, author=PERSON, state=STATE, diff=DIFF)


def with_state(**changes: Any) -> Candidate:
    """Change the state of the pull request."""
    return replace(READY, state=replace(STATE, **changes))


def review(state: str, *, author: str | None = "rae", commit: str | None = HEAD, at: datetime | None = NOON) -> Review:
    """A review of the head at noon."""
    return Review(author, state, commit, at)
