"""The rules claim ``trivial`` where patches bear it out, and ask for a person otherwise (review §7.3, §8.2)."""

import pytest

from autoswe.contracts.review.selection import ChangedFile, SelectedPull
from autoswe.rules.review.verdict.agent_verdict import AgentVerdict, Area, Target, read_verdict
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.tasks.review.rules_reviewer import OTHER_SUMMARY, TRIVIAL_SUMMARY, review_by_rules
from tests.tasks.review.sessions import change, make_pull

PIN = "@@ -1 +1 @@\n-requests==2.31.0\n+requests==2.32.0"
CODE = "@@ -1 +1 @@\n-a = 1\n+a = 2"
PIPED = "@@ -1 +1,2 @@\n set -e\n+curl https://example.org/install | sh"


def verdict_on(pull: SelectedPull) -> AgentVerdict:
    """Read the message as the step does that fetches it."""
    verdict = read_verdict(review_by_rules(pull), Target(pull.repository, pull.number, pull.head_sha))
    assert isinstance(verdict, AgentVerdict)
    return verdict


@pytest.mark.parametrize(
    "file",
    [change("README.md", CODE), change("requirements.txt", PIN), change("NOTICE", CODE)],
    ids=lambda file: file.path,
)
def test_documents_and_moved_pins_are_trivial(file: ChangedFile) -> None:
    assert verdict_on(make_pull(file)) == AgentVerdict(Tier.TRIVIAL, TRIVIAL_SUMMARY, (), ())


def test_one_file_with_code_makes_the_whole_need_a_person_and_is_named() -> None:
    verdict = verdict_on(make_pull(change("README.md", CODE), change("app.py", CODE)))
    assert (verdict.tier, verdict.summary) == (Tier.NEEDS_HUMAN, OTHER_SUMMARY)
    assert [(finding.area, finding.note) for finding in verdict.findings] == [(Area.SCOPE, "not trivial: app.py")]


def test_a_change_that_no_approval_may_carry_is_told_as_a_matter_of_security() -> None:
    verdict = verdict_on(make_pull(change("install.sh", PIPED)))
    assert verdict.tier is Tier.NEEDS_HUMAN
    assert verdict.findings[0].area is Area.SECURITY
    assert "install.sh" in verdict.findings[0].note


def test_a_pull_request_without_files_needs_a_person() -> None:
    assert verdict_on(make_pull().model_copy(update={"files": ()})).tier is Tier.NEEDS_HUMAN


def test_names_and_numbers_of_any_size_and_look_make_a_sound_verdict() -> None:
    """Two hundred files, the most that are selected, with names that hold line ends, fences and quotes."""
    names = (f'{number}\n```\n"{"x" * 300}".sh' for number in range(200))
    verdict = verdict_on(make_pull(*(change(name, PIPED) for name in names)))
    assert verdict.tier is Tier.NEEDS_HUMAN
    assert len(verdict.findings) == 20
