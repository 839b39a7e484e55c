"""Whatever a pull request is told in a fixed sentence names no setting and no number (feedback §2)."""

import pytest

from autoswe.rules.feedback.eligibility import VISIBLE, SkipReason
from autoswe.rules.feedback.summary import CI_SENTENCES, CLAIMS, LATE, SENTENCES, Headline
from autoswe.rules.settings.registry import REGISTRY

ALL = [*SENTENCES.values(), *CI_SENTENCES.values(), *CLAIMS.values(), LATE]


@pytest.mark.parametrize("sentence", ALL)
def test_a_sentence_holds_no_number(sentence: str) -> None:
    assert not any(character.isnumeric() for character in sentence)


@pytest.mark.parametrize("sentence", ALL)
def test_a_sentence_names_no_setting_in_full_or_by_its_last_part(sentence: str) -> None:
    names = {part.lower() for name in REGISTRY for part in (name, name.rpartition(".")[2]) if part != "enabled"}
    assert not [name for name in names if name in sentence.lower()]


@pytest.mark.parametrize("reason", sorted(VISIBLE))
def test_a_visible_skip_has_a_sentence_of_its_own(reason: SkipReason) -> None:
    sentence = SENTENCES[Headline(reason)]
    assert list(SENTENCES.values()).count(sentence) == 1
