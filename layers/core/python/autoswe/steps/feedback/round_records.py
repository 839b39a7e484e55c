"""Reads the records that an execution's input names; the input itself is never a fact (architecture §3)."""

from dataclasses import dataclass
from typing import Self

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.feedback.round import RoundRequest
from autoswe.contracts.records.platform import Connection, Decision, RepositoryRecord
from autoswe.ports.records import Records
from autoswe.rules.feedback.naming import artifact_key
from autoswe.rules.settings.resolution import PLATFORM, Place

LEASE_SECONDS = 3_600
"""How long a step holds the pull request's slot without a renewal: longer than the fixer task may run."""


class InputMismatch(Exception):
    """An execution's input names no decision of ours, or disagrees with it; the message says in what."""


class SlotLost(Exception):
    """Another execution holds the pull request, or the round's lease ran out: this one may do nothing more."""


@dataclass(frozen=True)
class GatheredArtifacts:
    """What a round that proceeds has gathered."""

    head_sha: str
    source: ArtifactReference
    brief: ArtifactReference
    threads: ArtifactReference
    plan: ArtifactReference


def gathered_artifacts(request: RoundRequest) -> GatheredArtifacts:
    """Read the artifacts from the workflow's state; raises ``InputMismatch`` when the round did not gather them."""
    gathered = request.state.gather.value if request.state.gather else None
    if gathered is None or None in (
        parts := (gathered.head_sha, gathered.source, gathered.brief, gathered.threads, gathered.plan)
    ):
        raise InputMismatch("the state holds no gathered artifacts")
    return GatheredArtifacts(*parts)  # type: ignore[arg-type]  # none of them is None here


def keep_at(request: RoundRequest, name: str) -> str:
    """Return where this execution keeps an object, apart for the round's fix and for its follow-up."""
    state = request.state
    return artifact_key(state.decision_id, request.execution, name, follow_up=state.first is not None)


def read_decision(request: RoundRequest, records: Records) -> tuple[Decision, Place]:
    """Read the decision, and where its repository stands when settings are looked up, by its record if it has one.

    Raises ``InputMismatch`` when the decision was never made or is another pull request's.
    """
    state = request.state
    decision, _, repository = records.of_round(state.decision_id, state.connection, state.repository)
    return _agreed(request, decision), repository.place if repository else PLATFORM


def _agreed(request: RoundRequest, decision: Decision | None) -> Decision:
    state = request.state
    if decision is None:
        raise InputMismatch("the input names a decision that was never made")
    if (decision.connection, decision.repository, decision.pull_number) != (
        state.connection,
        state.repository,
        state.pull_number,
    ):
        raise InputMismatch("the input names another pull request than its decision")
    return decision


@dataclass(frozen=True)
class RoundRecords:
    """The records of one round."""

    decision: Decision
    connection: Connection
    repository: RepositoryRecord

    @classmethod
    def read(cls, request: RoundRequest, records: Records) -> Self:
        """Read decision, connection and repository; raises ``InputMismatch`` when one is missing or disagrees."""
        state = request.state
        decided, connection, repository = records.of_round(state.decision_id, state.connection, state.repository)
        decision = _agreed(request, decided)
        if connection is None or repository is None:
            raise InputMismatch("the decision's connection or repository has no record")
        if repository.repository_id != decision.repository_id:
            raise InputMismatch("the repository's record and the delivery name different repository ids")
        return cls(decision, connection, repository)
