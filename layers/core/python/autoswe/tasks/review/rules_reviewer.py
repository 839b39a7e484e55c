"""The reviewer without a model: it claims ``trivial`` where the rules find nothing else, and asks for a person."""

from collections.abc import Iterator

from autoswe.contracts.review.agent_verdict import AgentFinding, AgentVerdict
from autoswe.contracts.review.selection import SelectedPull
from autoswe.contracts.review.sides import changed_files
from autoswe.rules.review.trivial.classifier import classify_trivial
from autoswe.rules.review.verdict.agent_verdict import MAX_FINDINGS, MAX_NOTE_CHARACTERS, Area
from autoswe.rules.review.verdict.one_line import one_line
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.review.vetoes.judgement import find_vetoes

NAME = "rules"

TRIVIAL_SUMMARY = "By the rules, the change touches nothing but documentation, lock files and pinned versions."
OTHER_SUMMARY = "The rules alone tell trivial changes from others, and this is another: it needs a reader."


def review_by_rules(pull: SelectedPull) -> str:
    """Write a final message that ends with a verdict on ``pull``, as an agent would.

    Only the patches are judged; a step that has read both sides of the files may still disagree. What stands against
    ``trivial`` is told in the findings.
    """
    findings = tuple(_find(pull))
    verdict = AgentVerdict(
        schema=1,
        repository=pull.repository,
        pull_request=pull.number,
        head_sha=pull.head_sha,
        tier=Tier.NEEDS_HUMAN if findings else Tier.TRIVIAL,
        summary=OTHER_SUMMARY if findings else TRIVIAL_SUMMARY,
        findings=findings[:MAX_FINDINGS],
        injection_attempts=(),
    )
    return f"```json\n{verdict.model_dump_json(by_alias=True)}\n```\n"


def _find(pull: SelectedPull) -> Iterator[AgentFinding]:
    files = changed_files(pull.files, None)
    for veto in find_vetoes(files, sides_required=False):
        yield AgentFinding(area=Area.SECURITY, note=one_line(veto.reason, MAX_NOTE_CHARACTERS))
    classified = classify_trivial(files, sides_required=False)
    if not classified.trivial:
        named = ", ".join(classified.non_trivial_paths) or "no file is changed"
        yield AgentFinding(area=Area.SCOPE, note=one_line(f"not trivial: {named}", MAX_NOTE_CHARACTERS))
