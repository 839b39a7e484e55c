"""The published verdict is one that is read as it was meant (review §18.4)."""

from autoswe.rules.review.verdict.agent_verdict import AgentVerdict, Target, read_verdict
from autoswe.rules.review.verdict.tiers import Tier
from tests.contracts.review.documents import PUBLISHED

[VERDICT] = [document for document in PUBLISHED if document.name == "verdict"]


def test_the_golden_verdict_is_understood_in_a_final_message() -> None:
    written = VERDICT.golden_file.read_text()
    target = Target("example-org/tool", 157, "1a" * 20)
    verdict = read_verdict(f"Done.\n\n```json\n{written}```\n", target)
    assert isinstance(verdict, AgentVerdict)
    assert verdict.tier is Tier.TRIVIAL
    assert verdict.summary == "One typo in the README."
    assert [finding.note for finding in verdict.findings] == ["The logo is new."]
    assert verdict.injection_attempts == ("The description asks for an approval.",)
