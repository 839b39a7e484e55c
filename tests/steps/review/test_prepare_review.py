"""Handing the reviewer's container its input, and nothing else (review §7.1)."""

import json
from pathlib import Path

import pytest

from autoswe.contracts.review.selection import SelectedPull
from autoswe.contracts.review.session import ReviewManifest
from autoswe.rules.review.run.naming import attempt_key, entry_key, namespace_of, session_key
from autoswe.s3.presigned import LONGEST_POLICY, session_policy
from autoswe.steps.review.preflight import BESIDE_SESSION_SECONDS, LONGEST_SESSION_MINUTES
from autoswe.steps.review.prepare_review import UPLOADS, URL_SECONDS
from autoswe.steps.review.review_run import LeaseLost, RunSuperseded
from tests.steps.review.test_preflight import LATER, other
from tests.support.review.fakes import EXECUTION, ORG
from tests.support.review.pulls import HEAD
from tests.support.review.stage import ReviewStage


def manifest_of(stage: ReviewStage, attempt: int = 1) -> ReviewManifest:
    key = attempt_key(stage.namespace, "tool-7", attempt, "manifest.json")
    return ReviewManifest.model_validate_json(stage.artifacts.fetch(key, 10**6))


def test_the_session_is_given_its_entry_the_heads_source_and_what_the_run_asks_for() -> None:
    stage = ReviewStage(inputs={"org": ORG, "max_runtime_minutes": 7, "approve_tiers": "trivial"})
    (entry,) = stage.begin().entries
    stage.prepare(entry)
    manifest = manifest_of(stage)
    assert (manifest.head_sha, manifest.dry_run, manifest.approve_tiers) == (HEAD, True, ("trivial",))
    assert manifest.timeout_seconds == 7 * 60
    packet = SelectedPull.model_validate_json(stage.artifacts.get(manifest.packet.reference))
    assert packet.key == "tool-7"
    assert manifest.source.reference.key == entry_key(stage.namespace, "tool-7", "source.tar.gz")


@pytest.mark.parametrize(
    ("reviewer", "credential", "model"),
    [("copilot", "github" + "_pat_" + "A" * 40, "gpt-6-astra"), ("rules", None, "rules")],
)
def test_the_session_is_told_the_model_that_was_asked_for_and_of_none_where_none_is_asked(
    reviewer: str, credential: str | None, model: str
) -> None:
    stage = ReviewStage(inputs={"org": ORG, "model": "GPT-6 Astra"}, agent=reviewer, model_credential=credential)
    (entry,) = stage.begin().entries
    stage.prepare(entry)
    assert manifest_of(stage).model == model


def test_the_session_may_touch_exactly_the_keys_of_its_entry_and_attempt() -> None:
    stage = ReviewStage()
    (entry,) = stage.begin().entries
    prepared = stage.prepare(entry)
    [(reads, writes, seconds)] = stage.signer.opened
    manifest = attempt_key(stage.namespace, "tool-7", 1, "manifest.json")
    assert reads == {stage.evidence(entry).entry.key, entry_key(stage.namespace, "tool-7", "source.tar.gz"), manifest}
    assert writes == {session_key(stage.namespace, "tool-7", 1, name) for name in UPLOADS}
    assert (seconds, prepared.manifest_url) == (URL_SECONDS, f"get:{manifest}@1")


def test_a_replay_leaves_its_session_beside_the_one_before() -> None:
    stage = ReviewStage(inputs={"org": ORG})
    (entry,) = stage.begin().entries
    stage.prepare(entry)
    replay = other(stage, LATER, given={"replay_of": EXECUTION})
    replay.begin()
    replay.prepare(entry)
    assert manifest_of(replay, attempt=2).summary.url != manifest_of(stage).summary.url


def test_the_keys_of_the_longest_names_fit_into_a_session_policy() -> None:
    key, namespace = f"{'r' * 100}-{2**31 - 1}", namespace_of(EXECUTION)
    reads = [entry_key(namespace, key, name) for name in ("entry.json", "source.tar.gz")]
    reads.append(attempt_key(namespace, key, 10, "manifest.json"))
    writes = [session_key(namespace, key, 10, name) for name in UPLOADS]
    assert len(session_policy("aws", "b" * 40, reads, writes)) <= LONGEST_POLICY


def test_the_addresses_outlive_the_longest_task(repository_root: Path) -> None:
    assert LONGEST_SESSION_MINUTES * 60 + BESIDE_SESSION_SECONDS < URL_SECONDS
    workflow = json.loads((repository_root / "infra/workflows/scheduled_review.asl.json").read_text())
    reviewer = workflow["States"]["Review pulls"]["ItemProcessor"]["States"]["Run reviewer"]
    assert reviewer["TimeoutSecondsPath"] == "$.run.task_seconds"


def test_an_execution_that_was_overtaken_or_lost_its_lease_prepares_nothing() -> None:
    stage = ReviewStage()
    (entry,) = stage.begin().entries
    stage.leases.release(ORG, EXECUTION)
    with pytest.raises(LeaseLost):
        stage.prepare(entry)
    dry = ReviewStage(inputs={"org": ORG})
    (entry,) = dry.begin().entries
    other(dry, LATER, given={"replay_of": EXECUTION}).preflight()
    with pytest.raises(RunSuperseded):
        dry.prepare(entry)
    assert (stage.signer.opened, dry.signer.opened) == ([], [])
