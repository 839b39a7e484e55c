"""The names that the stack gives to things which others must know beforehand."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
"""The root of the repository, wherever it was cloned to."""

ROUNDS = "rounds/"
"""Where a round's artifacts lie in the bucket."""

EVIDENCE, SESSIONS, RESULTS, REPORTS = (f"reviews/{kept}/" for kept in ("evidence", "sessions", "results", "reports"))
"""Where a review's artifacts lie in the bucket, by who may write them and how long they are kept (review §12)."""

DISCARDED_RECORDS = "aws/lambda/"
"""Where Lambda leaves the stream records it gave up on; the prefix is its own choice."""


class SecretKind(StrEnum):
    """The last part of a secret's name."""

    WEBHOOK_SECRETS = "webhook-secrets"
    PRIVATE_KEY = "private-key"
    REVIEW_PRIVATE_KEY = "review-private-key"
    MODEL_CREDENTIAL = "model-credential"


@dataclass(frozen=True)
class Names:
    """The physical names of one stack."""

    stack: str

    @property
    def secrets_prefix(self) -> str:
        """What the name of every secret of this stack starts with; the connection and the kind follow."""
        return f"autoswe/{self.stack}"

    @property
    def run_bus(self) -> str:
        """The name of the bus that other systems report their runs to."""
        return f"{self.stack}-runs"

    def workflow(self, workflow: str) -> str:
        """Name a workflow after its file: fixed, so that functions can know its ARN before it exists."""
        return f"{self.stack}-{workflow}"

    def function(self, function: str) -> str:
        """Name a Lambda function."""
        return f"{self.stack}-{function}"
