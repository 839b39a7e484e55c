"""What gathering reads and writes, for a round's fix and for its follow-up."""

from collections.abc import Callable
from dataclasses import dataclass

from autoswe.contracts.records.platform import Connection
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.feedback.hosts import EvidenceHost, GatherHost
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.records import Records


@dataclass(frozen=True)
class Ports:
    """What gathering reads and writes; ``open_evidence`` is asked on a CI follow-up alone.

    A repository is named by its number.
    """

    clock: Clock
    records: Records
    rounds: Rounds
    artifacts: Artifacts
    open_host: Callable[[Connection, int], GatherHost]
    open_evidence: Callable[[Connection, int], EvidenceHost]
