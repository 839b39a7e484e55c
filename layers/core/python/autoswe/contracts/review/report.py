"""``report.json``: one run in one file (review §18.7)."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from autoswe.contracts.model import Contract
from autoswe.contracts.review.judgement import Result
from autoswe.contracts.review.selection import Selection, SkippedPull
from autoswe.contracts.review.words import MIB, Amount, Count, Document
from autoswe.rules.review.pulls.selection import MATRIX_LIMIT
from autoswe.rules.review.run.report import Outcome, Selected
from autoswe.rules.review.verdict.tiers import Verdict

MAX_REPORT_BYTES = 64 * MIB


class ReportCounts(Contract):
    """How many results of each verdict there are, how many pull requests were skipped, and how many were looked at."""

    approved: Count
    would_approve: Annotated[Count, Field(alias="would-approve")]
    needs_human: Annotated[Count, Field(alias="needs-human")]
    failed: Count
    skipped: Count
    candidates_seen: Count


class ReportDocument(Document):
    """``report.json``: results sorted by key, each key once, its highest attempt; ``skipped`` as selected.

    ``premium_requests`` and ``agent_seconds`` are sums over what the sessions told; ``ledger_entries`` counts the
    ledger after this run.
    """

    dry_run: bool
    counts: ReportCounts
    results: Annotated[tuple[Result, ...], Field(max_length=MATRIX_LIMIT)]
    skipped: tuple[SkippedPull, ...]
    premium_requests: Amount
    agent_seconds: Amount
    ledger_entries: Count

    @classmethod
    def of(cls, selection: Selection, outcome: Outcome[Result], *, ledger_entries: int) -> Self:
        """Write down what a run came to."""
        counts = {
            **{verdict.value: outcome.count(verdict) for verdict in Verdict},
            "skipped": len(selection.skipped),
            "candidates_seen": selection.candidates_seen,
        }
        return cls(
            schema=1,
            dry_run=selection.dry_run,
            counts=ReportCounts.model_validate(counts),
            results=outcome.results,
            skipped=selection.skipped,
            premium_requests=outcome.premium_requests,
            agent_seconds=outcome.agent_seconds,
            ledger_entries=ledger_entries,
        )

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        keys = [result.key for result in self.results]
        if keys != sorted(set(keys)):
            raise ValueError("results should be sorted by key, each once")
        counted = self.counts.approved + self.counts.would_approve + self.counts.needs_human + self.counts.failed
        if (counted, self.counts.skipped) != (len(self.results), len(self.skipped)):
            raise ValueError("counts should count the results and the skipped pull requests")
        return self


def selected_entries(selection: Selection) -> Mapping[str, Selected]:
    """Return what the report asks of each selected pull request, by its key."""
    return {
        pull.key: Selected(
            key=pull.key,
            repository=pull.repository,
            number=pull.number,
            head_sha=pull.head_sha,
            title=pull.title,
            author=pull.author,
            url=pull.url,
        )
        for pull in selection.pull_requests
    }
