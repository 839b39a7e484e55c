"""What a review session's container is handed (review §7)."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from autoswe.contracts.containers import Download, Upload
from autoswe.contracts.model import Contract, Sha
from autoswe.contracts.review.words import KIB, MIB
from autoswe.rules.review.verdict.tiers import Tier

MAX_PROMPT_BYTES = 64 * KIB
MAX_LOGS_BYTES = 8 * MIB
MAX_SESSION_SECONDS = 120 * 60

Reviewer = Literal["rules", "copilot", "claude", "codex", "command"]
"""The reviewers that a deployment can name; all but the first run a program that may ask a model."""


class ReviewManifest(Contract):
    """One entry of the selection, its source, and where each file of the session goes.

    ``packet`` is the entry (``SelectedPull``), ``source`` the archive of its head, which is ``head_sha``. ``dry_run``
    and ``approve_tiers`` are the run's; ``model`` is the one that it asks for, in the words of the reviewer's program.
    The program may take ``timeout_seconds``; the task needs time beyond that to fetch and to upload.

    ``summary`` takes at most ``checking.MAX_SUMMARY_BYTES``, ``usage`` ``usage.MAX_USAGE_BYTES``. A session that failed
    leaves no summary; ``rules``, which asks nobody, leaves neither prompt nor logs (review §7.4).
    """

    kind: Literal["review"] = "review"
    reviewer: Reviewer
    model: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]{0,99}$")]
    head_sha: Sha
    dry_run: bool
    approve_tiers: tuple[Literal[Tier.TRIVIAL, Tier.LOW_RISK], ...]
    packet: Download
    source: Download
    summary: Upload
    usage: Upload
    prompt: Upload
    logs: Upload
    timeout_seconds: Annotated[int, Field(gt=0, le=MAX_SESSION_SECONDS)]
