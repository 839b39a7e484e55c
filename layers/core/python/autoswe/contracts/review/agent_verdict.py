"""The verdict that an agent is asked to end its final message with (review §18.4).

It is published for whoever writes one. What an agent wrote is read by ``rules.review.verdict.agent_verdict``, which
cuts what is too long and refuses the rest.
"""

from typing import Annotated

from pydantic import Field, StringConstraints

from autoswe.contracts.model import Contract, Sha
from autoswe.contracts.review.words import Document, PullNumber, Repository
from autoswe.rules.review.verdict.agent_verdict import (
    MAX_BLOCK_BYTES,
    MAX_FINDINGS,
    MAX_INJECTION_ATTEMPTS,
    MAX_NOTE_CHARACTERS,
    Area,
)
from autoswe.rules.review.verdict.one_line import MAX_SUMMARY_CHARACTERS
from autoswe.rules.review.verdict.tiers import Tier

MAX_VERDICT_BYTES = MAX_BLOCK_BYTES

Note = Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS)]


class AgentFinding(Contract):
    """One thing that the agent found."""

    area: Area
    note: Note


class AgentVerdict(Document):
    """What the agent concludes of one head, which it names; ``summary`` is for the maintainer who merges."""

    repository: Repository
    pull_request: PullNumber
    head_sha: Sha
    tier: Tier
    summary: Annotated[str, StringConstraints(min_length=1, max_length=MAX_SUMMARY_CHARACTERS)]
    findings: Annotated[tuple[AgentFinding, ...], Field(max_length=MAX_FINDINGS)]
    injection_attempts: Annotated[tuple[Note, ...], Field(max_length=MAX_INJECTION_ATTEMPTS)]
