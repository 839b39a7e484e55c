"""Who opened a pull request (feedback §2)."""

from dataclasses import replace

import pytest

from autoswe.rules.records.origin import (
    HostOrigin,
    OriginKind,
    OriginReason,
    RecordedOrigin,
    RunStatus,
    judge_origin,
    opened_by_platform,
)

RECORDED = RecordedOrigin(OriginKind.TRACKED_WORKFLOW, RunStatus.AWAITING_HUMAN_MERGE, author_id=9, branch="feature")
HOST = HostOrigin(author_id=9, branch="feature")


@pytest.mark.parametrize("kind", [OriginKind.TRACKED_WORKFLOW, OriginKind.AGENT_RUN])
def test_a_parked_run_of_ours_leaves_its_pull_request_to_feedback_rounds(kind: OriginKind) -> None:
    assert judge_origin(replace(RECORDED, kind=kind), HOST) is None


@pytest.mark.parametrize("kind", [*OriginKind, None])
def test_only_a_run_of_ours_makes_the_platform_the_opener(kind: OriginKind | None) -> None:
    assert opened_by_platform(kind) is (kind in {OriginKind.TRACKED_WORKFLOW, OriginKind.AGENT_RUN})


def test_a_pull_request_without_a_record_or_opened_by_others_is_not_ours() -> None:
    assert judge_origin(None, HOST) is OriginReason.OTHER_PULL_REQUEST
    assert judge_origin(replace(RECORDED, kind=OriginKind.OTHER), HOST) is OriginReason.OTHER_PULL_REQUEST


@pytest.mark.parametrize("host", [HostOrigin(8, "feature"), HostOrigin(None, "feature"), HostOrigin(9, "other")])
def test_a_record_that_the_host_does_not_confirm_makes_nothing_ours(host: HostOrigin) -> None:
    assert judge_origin(RECORDED, host) is OriginReason.ORIGIN_MISMATCH


@pytest.mark.parametrize("status", [RunStatus.AWAITING_HUMAN_MERGE, RunStatus.ENDED])
def test_a_run_that_parked_or_ended_leaves_its_pull_request_to_rounds(status: RunStatus) -> None:
    assert judge_origin(replace(RECORDED, run_status=status), HOST) is None


@pytest.mark.parametrize("status", [RunStatus.RUNNING, RunStatus.AWAITING_CI])
def test_a_run_that_may_still_push_keeps_its_pull_request(status: RunStatus) -> None:
    assert judge_origin(replace(RECORDED, run_status=status), HOST) is OriginReason.RUN_STILL_WORKING
