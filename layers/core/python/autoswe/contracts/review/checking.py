"""Makes ``check.json`` of an entry and what its session left, by the rules alone (review §8.2, §18.5)."""

from collections.abc import Iterable

from autoswe.contracts.review.judgement import Check, Classification, Finding
from autoswe.contracts.review.selection import SelectedPull
from autoswe.contracts.review.sides import Sides, changed_files
from autoswe.rules.agents.usage import read_usage
from autoswe.rules.review.verdict.agent_verdict import Target
from autoswe.rules.review.verdict.check import Missing, check_session
from autoswe.rules.review.verdict.tiers import Tier

MAX_SUMMARY_BYTES = 8 * 1024 * 1024
"""How much of ``session-summary.md`` is read."""


def check_pull(
    pull: SelectedPull,
    summary: bytes | Missing,
    usage: bytes | None,
    sides: Sides | None,
    approve_tiers: Iterable[Tier],
    *,
    sides_required: bool,
) -> Check:
    """Judge what a session left of one entry; what is no UTF-8 or too large is as good as missing.

    ``sides`` are of the entry's own head and base, or they do not count. ``sides_required`` holds for a live run.
    """
    known = sides if sides is not None and (sides.base_sha, sides.head_sha) == (pull.base_sha, pull.head_sha) else None
    judged = check_session(
        Target(pull.repository, pull.number, pull.head_sha),
        summary if isinstance(summary, Missing) else _text(summary),
        changed_files(pull.files, known),
        approve_tiers,
        read_usage(usage),
        sides_required=sides_required,
    )
    return Check(
        schema=1,
        key=pull.key,
        repository=pull.repository,
        number=pull.number,
        head_sha=pull.head_sha,
        url=pull.url,
        title=pull.title,
        reasons=judged.reasons,
        summary=judged.summary,
        findings=tuple(Finding(area=finding.area, note=finding.note) for finding in judged.findings),
        injection_attempts=judged.injection_attempts,
        premium_requests=judged.usage.premium_requests,
        agent_seconds=judged.usage.agent_seconds,
        agent_tier=judged.agent_tier,
        tier=judged.tier,
        approvable=judged.approvable,
        classifier=Classification(
            trivial=judged.classifier.trivial, non_trivial_paths=judged.classifier.non_trivial_paths
        ),
        vetoes=judged.veto_reasons,
    )


def _text(summary: bytes) -> str | Missing:
    if len(summary) > MAX_SUMMARY_BYTES:
        return Missing(f"session summary is larger than {MAX_SUMMARY_BYTES} bytes")
    try:
        return summary.decode()
    except UnicodeDecodeError:
        return Missing("session summary is not UTF-8")
