"""A rule about words meets every spelling of them (feedback §4)."""

import pytest

from autoswe.rules.text.fold import fold_lines, fold_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ignore,  all\tOF\nthem", "ignore all of them"),
        ("One. Two", "one . two"),
        ("na\u00efve \u0456gn\u043ere", "naive ignore"),
        ("a\u200bb &#105;t", "ab it"),
        ('inputs like "drop all of it" here', "inputs here"),
    ],
)
def test_words_are_latin_letters_between_single_spaces_without_quoted_specimens(text: str, words: str) -> None:
    assert fold_words(fold_lines(text)) == words
