"""Writes the body of an approval: fixed words around one neutralised sentence of the reviewer (review §8.3)."""

import re2

from autoswe.rules.review.verdict.one_line import MAX_SUMMARY_CHARACTERS, one_line
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.text.neutralise import neutralise_inline

OPENINGS = {
    Tier.TRIVIAL: "🤖 Auto-approved by agent: a dependency, documentation or formatting change.",
    Tier.LOW_RISK: (
        "🤖 Auto-approved by agent: a review of the workflow or code change for security and CI/CD impact found "
        "low risk."
    ),
}
"""The first line of an approval, for each tier that can be approved."""

UNNAMED_REVIEWER = "the code review bot"

_MAX_ENCODED_CHARACTERS = 20_000
"""More than 600 characters can become, well below the 65,536 that a review's body may have."""
_MODEL = re2.compile(r"[a-z0-9][a-z0-9.\-]{0,99}")
_LOGIN = re2.compile(r"[a-z0-9][a-z0-9\-]{0,99}\[bot\]")
_ADDRESS = re2.compile(r"https?://[A-Za-z0-9.\-]+(?::[0-9]{1,5})?/[A-Za-z0-9._~:/?#&=%@!$*+,;\-]{0,1000}")


def compose_approval(tier: Tier, summary: str, *, reviewer: str | None, model: str, run_url: str) -> str:
    """Compose the body of an approval under a tier that can be approved.

    ``summary`` is the reviewer's text and may be anything; it is shown as one inert line of at most 600 characters.
    ``reviewer`` is our App's login (``name[bot]``), none where the run has no App. ``model`` is the identifier from the
    selection; ``run_url`` the run's address. All three come from trusted records: another shape is a ValueError.
    """
    for name, value, allowed in (
        ("reviewer", reviewer, _LOGIN),
        ("model", model, _MODEL),
        ("run_url", run_url, _ADDRESS),
    ):
        if value is not None and not allowed.fullmatch(value):
            raise ValueError(f"The approval's {name} is {value!r}, which is not of its form.")
    said = neutralise_inline(one_line(summary, MAX_SUMMARY_CHARACTERS), _MAX_ENCODED_CHARACTERS)
    named = f"`{reviewer}`" if reviewer else UNNAMED_REVIEWER
    closing = (
        f"---\nAutomated review by {named} using model\n`{model}`; see the [run]({run_url}). "
        "This is not a human review."
    )
    return "\n\n".join(part for part in (OPENINGS[tier], said, closing) if part)
