"""What a round that begins hands on: the source as the tree has it, and the plan of its gates (feedback §3)."""

import io
from datetime import datetime

import pytest

from autoswe.contracts.feedback.fixing import GateName, GatePlan
from autoswe.contracts.feedback.round import Gathered, GatherOutcome
from autoswe.contracts.records.platform import GateSettings, RepositoryRecord
from autoswe.ports.github import Refused
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.source.archive import read_source
from autoswe.steps.feedback.gather_feedback import gather_feedback
from autoswe.steps.feedback.gather_ports import Ports
from tests.support.feedback.fake_host import FakeHost
from tests.support.feedback.fakes import DECISION, FakeRounds, request
from tests.support.feedback.rounds import Stage
from tests.support.feedback.threads import comment, thread

REMARK = comment("Why is this so?", comment_id=12)


def _stage() -> Stage:
    stage = Stage(rounds=FakeRounds())
    stage.host.threads_now = (thread(REMARK),)
    return stage


def gather(stage: Stage) -> Gathered:
    def host(*_: object) -> FakeHost:
        return stage.host

    at = datetime.fromisoformat(DECISION.decided_at)
    return gather_feedback(request(), Ports(lambda: at, stage.records, stage.rounds, stage.artifacts, host, host))


def _source(stage: Stage, gathered: Gathered) -> dict[str, tuple[str, bytes]]:
    assert gathered.source is not None
    archive = io.BytesIO(stage.artifacts.get(gathered.source))
    return {file.path: (file.mode, file.content) for file in read_source(archive)}


def test_the_source_is_the_tree_even_where_the_archive_is_not() -> None:
    """Archives leave files out and rewrite others by attribute; the tree's blob ids decide."""
    stage = _stage()
    stage.host.archived = {"a.py": b"A\r\nB\r\nC\r\n", "planted.py": b"not in the tree\n"}
    assert _source(stage, gather(stage)) == stage.host.trees["1a" * 20]


def test_a_damaged_archive_costs_calls_but_not_correctness() -> None:
    stage = _stage()
    stage.host.archive_bytes = b"not a tarball"
    assert _source(stage, gather(stage)) == stage.host.trees["1a" * 20]


def test_a_truncated_tree_is_never_taken_for_the_whole() -> None:
    stage = _stage()
    stage.host.truncated = True
    told = gather(stage)
    assert (told.outcome, told.reason) == (GatherOutcome.SKIP_VISIBLE, SkipReason.SOURCE_UNREADABLE)


def _plan(stage: Stage, gathered: Gathered) -> GatePlan:
    assert gathered.plan is not None
    return GatePlan.model_validate_json(stage.artifacts.get(gathered.plan))


def test_recorded_gates_are_used_without_reading_the_base() -> None:
    stage = _stage()
    stage.records.repository_record = RepositoryRecord(repository_id=10, gates=GateSettings(lint=("lint-it",)))
    [gate] = _plan(stage, gather(stage)).gates
    assert (gate.name, gate.command) == (GateName.LINT, ("lint-it",))
    assert stage.host.asked.count("tree") == 1


def test_gates_that_cannot_be_read_are_not_taken_for_none() -> None:
    stage = _stage()
    stage.records.repository_record = RepositoryRecord(repository_id=10)
    stage.host.trees["1b" * 20]["Makefile"] = ("100644", b"#" * 300_000)
    with pytest.raises(Refused):
        gather(stage)


def test_gates_that_are_not_recorded_are_detected_from_the_base_commit() -> None:
    stage = _stage()
    stage.records.repository_record = RepositoryRecord(repository_id=10)
    [gate] = _plan(stage, gather(stage)).gates
    assert (gate.name, gate.command) == (GateName.TESTS, ("make", "test"))
