"""The work of the review container: has one pull request reviewed and hands over what the session left (review §7)."""

import json
import logging
import os
from pathlib import Path

from autoswe.contracts.review.selection import SelectedPull
from autoswe.contracts.review.session import ReviewManifest
from autoswe.rules.agents.usage import SessionUsage
from autoswe.rules.review.verdict.agent_verdict import Target
from autoswe.rules.review.verdict.review_prompt import compose_review_prompt
from autoswe.tasks.container.documents import parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.review import rules_reviewer
from autoswe.tasks.review.model_reviewer import Answer, ask_model
from autoswe.tasks.review.packet import lay_out

logger = logging.getLogger(__name__)


def review(manifest: ReviewManifest, scratch: Path, transfer: Transfer) -> None:
    """Have the manifest's reviewer read its pull request, and upload what that left.

    ``TaskFailed`` when there is no last message to hand over: then prompt, logs and usage are uploaded as far as there
    are any, and no summary. What a message says is judged by whoever fetches it.
    """
    pull = parse(SelectedPull, transfer.download(manifest.packet, "the packet"), "the packet")
    if pull.head_sha != manifest.head_sha:
        raise TaskFailed("the packet is about another head than the manifest")
    if manifest.reviewer == rules_reviewer.NAME:
        answer = Answer(rules_reviewer.review_by_rules(pull), "", SessionUsage(0, 0), "")
    else:
        answer = _ask(manifest, pull, scratch, transfer)
    transfer.upload(manifest.usage, write_usage(answer.usage), "the session's usage")
    if answer.message is None:
        raise TaskFailed(answer.failure)
    # A model may well say half of a surrogate pair, which no document can hold.
    transfer.upload(manifest.summary, answer.message.encode(errors="replace"), "the session's summary")
    logger.info("the reviewer %s spoke of %s#%d", manifest.reviewer, pull.repository, pull.number)


def _ask(manifest: ReviewManifest, pull: SelectedPull, scratch: Path, transfer: Transfer) -> Answer:
    """Let a program review ``pull``; the prompt is uploaded before it starts, whatever becomes of it then."""
    source = transfer.download(manifest.source, "the source archive")
    desk = scratch / "review"
    laid_out = lay_out(pull, source, desk)
    prompt = compose_review_prompt(
        Target(pull.repository, pull.number, pull.head_sha),
        dry_run=manifest.dry_run,
        approve_tiers=manifest.approve_tiers,
        withheld=laid_out.withheld,
        mark=laid_out.mark,
    )
    transfer.upload(manifest.prompt, prompt.encode(), "the prompt")
    answer = ask_model(manifest, prompt, desk, scratch / "agent", os.environ)
    transfer.upload(manifest.logs, answer.logs.encode(errors="replace"), "the session's logs")
    return answer


def write_usage(usage: SessionUsage) -> bytes:
    """Write a session's cost as Copilot CLI's usage file does; what is not known is left out."""
    document = {
        "totalPremiumRequestCost": usage.premium_requests,
        "totalApiDurationMs": None if usage.agent_seconds is None else round(usage.agent_seconds * 1000),
    }
    return json.dumps({name: value for name, value in document.items() if value is not None}).encode()
