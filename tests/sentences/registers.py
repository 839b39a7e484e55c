"""Every page whose sentences are registered, by its name."""

from collections.abc import Mapping
from pathlib import Path

from tests.sentences import feedback, review
from tests.sentences.sentence import Register

REGISTERS: Mapping[str, Register] = {
    "feedback": Register(
        Path("docs/spec/feedback.md"), Path("tests/sentences/feedback.md"), feedback.SENTENCES, feedback.PENDING
    ),
    "review": Register(
        Path("docs/spec/review.md"), Path("tests/sentences/review.md"), review.SENTENCES, review.PENDING
    ),
}
