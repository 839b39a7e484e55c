"""What keeps each sentence of ``docs/spec/feedback.md``, section by section."""

from tests.sentences.feedback import delivery, eligibility, fixing, host, push, report, settings, watch
from tests.sentences.feedback.pending import PENDING as PENDING

SENTENCES = (
    *delivery.SENTENCES,
    *watch.SENTENCES,
    *eligibility.SENTENCES,
    *fixing.SENTENCES,
    *report.SENTENCES,
    *push.SENTENCES,
    *settings.SENTENCES,
    *host.SENTENCES,
)
