"""Every page whose sentences are registered, by its name."""

from collections.abc import Mapping
from pathlib import Path

from tests.sentences.feedback import PENDING, SENTENCES
from tests.sentences.sentence import Register

REGISTERS: Mapping[str, Register] = {
    "feedback": Register(Path("docs/spec/feedback.md"), Path("tests/sentences/feedback.md"), SENTENCES, PENDING),
}
