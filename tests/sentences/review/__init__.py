"""What keeps each sentence of ``docs/spec/review.md``, section by section."""

from tests.sentences.review import (
    apply,
    applying,
    files,
    inputs,
    judged_files,
    ledger,
    preflight,
    runs,
    selecting,
    selection,
    session,
    stack,
    trivial,
    verdict,
    vetoes,
)
from tests.sentences.review.pending import PENDING as PENDING

SENTENCES = (
    *preflight.SENTENCES,
    *selection.SENTENCES,
    *ledger.SENTENCES,
    *session.SENTENCES,
    *verdict.SENTENCES,
    *judged_files.SENTENCES,
    *trivial.SENTENCES,
    *vetoes.SENTENCES,
    *apply.SENTENCES,
    *inputs.SENTENCES,
    *selecting.SENTENCES,
    *applying.SENTENCES,
    *runs.SENTENCES,
    *stack.SENTENCES,
    *files.SENTENCES,
)
