"""What gathering reads and writes, for a round's fix and for its follow-up."""

from collections.abc import Callable
from dataclasses import dataclass

from autoswe.contracts.rows import Connection
from autoswe.ports import Artifacts, Clock, EvidenceHost, GatherHost, Records, Rounds


@dataclass(frozen=True)
class Ports:
    """What gathering reads and writes; ``open_evidence`` is asked on a CI follow-up alone."""

    clock: Clock
    records: Records
    rounds: Rounds
    artifacts: Artifacts
    open_host: Callable[[Connection, str], GatherHost]
    open_evidence: Callable[[Connection, str], EvidenceHost]
