"""Judges offline what a session concluded: whether the diff bears it out, and no veto forbids it (review §8.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autoswe.rules.agents.usage import SessionUsage
from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.trivial.classifier import Classification, classify_trivial
from autoswe.rules.review.verdict.agent_verdict import Finding, NoVerdict, Target, read_verdict
from autoswe.rules.review.verdict.one_line import one_line
from autoswe.rules.review.verdict.tiers import APPROVABLE, Tier
from autoswe.rules.review.vetoes.findings import Veto
from autoswe.rules.review.vetoes.judgement import find_vetoes

MAX_REASON_CHARACTERS = 400
MAX_REASONS = 50
MAX_VETO_REASONS = 200
MAX_NAMED_PATHS = 20

TIER_NOT_ENABLED = "tier not enabled for approval"
ASKS_FOR_A_PERSON = "reviewer asks for a person"


@dataclass(frozen=True, slots=True)
class Check:
    """What ``check.json`` says about one session.

    ``agent_tier`` is what the reviewer claimed, none without a verdict. ``tier`` is what is left of it; ``approvable``
    says that an approval may go out under it. ``reasons`` say why it does not, each one line. ``vetoes`` and
    ``classifier`` are of the diff alone, whatever the reviewer claimed.
    """

    agent_tier: Tier | None
    tier: Tier
    approvable: bool
    reasons: tuple[str, ...]
    summary: str
    findings: tuple[Finding, ...]
    injection_attempts: tuple[str, ...]
    classifier: Classification
    vetoes: tuple[Veto, ...]
    usage: SessionUsage

    @property
    def veto_reasons(self) -> tuple[str, ...]:
        """Return the vetoes' sentences as lines, the first 200 of them."""
        return _lines([veto.reason for veto in self.vetoes[:MAX_VETO_REASONS]])


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no session's summary; ``reason`` says what became of it."""

    reason: str


def check_session(
    target: Target,
    session_summary: str | Missing,
    files: Sequence[ChangedFile],
    approve_tiers: Iterable[Tier],
    usage: SessionUsage,
    *,
    sides_required: bool,
) -> Check:
    """Judge a session on ``target`` against the pull request's ``files``, as the trusted selection recorded them.

    A claim of ``trivial`` must be what the classifier finds; no veto may stand against any tier that can be approved;
    and ``approve_tiers`` must name what is left. ``sides_required`` holds for a live run (``find_vetoes``).
    """
    classifier = classify_trivial(files, sides_required=sides_required)
    vetoes = find_vetoes(files, sides_required=sides_required)
    verdict = (
        NoVerdict(session_summary.reason)
        if isinstance(session_summary, Missing)
        else read_verdict(session_summary, target)
    )
    if isinstance(verdict, NoVerdict):
        said = _lines([verdict.reason])
        return Check(None, Tier.NEEDS_HUMAN, False, said, "", (), (), classifier, vetoes, usage)
    against = _reasons_against(verdict.tier, classifier, vetoes)
    tier = Tier.NEEDS_HUMAN if against else verdict.tier
    approvable = tier in APPROVABLE and tier in set(approve_tiers)
    reasons = against or ([] if approvable else [TIER_NOT_ENABLED])
    return Check(
        agent_tier=verdict.tier,
        tier=tier,
        approvable=approvable,
        reasons=_lines(reasons[:MAX_REASONS]),
        summary=verdict.summary,
        findings=verdict.findings,
        injection_attempts=verdict.injection_attempts,
        classifier=classifier,
        vetoes=vetoes,
        usage=usage,
    )


def _reasons_against(claim: Tier, classifier: Classification, vetoes: Sequence[Veto]) -> list[str]:
    if claim not in APPROVABLE:
        return [ASKS_FOR_A_PERSON]
    reasons = [veto.reason for veto in vetoes]
    if claim is Tier.TRIVIAL and not classifier.trivial:
        named = ", ".join(classifier.non_trivial_paths[:MAX_NAMED_PATHS]) or "no file is changed"
        reasons.insert(0, f"trivial claim not corroborated: {named}")
    return reasons


def _lines(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(one_line(reason, MAX_REASON_CHARACTERS) for reason in reasons)
