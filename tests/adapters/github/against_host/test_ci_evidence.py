"""What the failures on a commit say of themselves, and what poll_ci reads of a branch's requirements."""

import pytest

from autoswe.ports.github import Forbidden
from autoswe.rules.feedback.ci_logs import Evidence, ci_brief
from autoswe.rules.github.facts import Annotation, CiEvidence, JobLog, StatusNote
from tests.adapters.github.against_host.story import Story


def _read(story: Story) -> CiEvidence:
    return story.github.evidence_host("octo/widgets").evidence(story.pull.head_sha)


def _fail(story: Story) -> None:
    sha = story.pull.head_sha
    run = story.repo.workflow_run(sha, "CI", conclusion="failure")
    story.repo.check_run(sha, "build", conclusion="success", workflow_run=run, log="fine\n")
    job = story.repo.check_run(sha, "tests", conclusion="failure", workflow_run=run, log="1 failed: Größe\n")
    job.annotate("a.txt", 2, "Too loud", title="Style")
    story.repo.set_status(sha, "coverage", "failure", description="Coverage fell")
    story.repo.set_status(sha, "deploy", "success", description="All well")


def test_logs_annotations_and_statuses_of_what_failed_are_read(story: Story) -> None:
    _fail(story)
    assert _read(story) == CiEvidence(
        (JobLog("tests", "1 failed: Größe\n", cut=False),),
        (Annotation("tests", "a.txt", 2, "failure", "Style", "Too loud"),),
        (StatusNote("coverage", "Coverage fell"),),
        0,
    )
    brief = ci_brief(_read(story))
    assert isinstance(brief, Evidence)
    assert len(brief.blocks) == 3


def test_where_nothing_failed_there_is_nothing(story: Story) -> None:
    sha = story.pull.head_sha
    story.repo.check_run(sha, "tests", conclusion="success")
    story.repo.workflow_run(sha, "Docs", conclusion="action_required")
    assert _read(story) == CiEvidence((), (), (), 0)


def test_a_job_that_passed_when_it_ran_again_is_no_failure(story: Story) -> None:
    sha = story.pull.head_sha
    run = story.repo.workflow_run(sha, "CI", status="in_progress")
    for conclusion in ("failure", "success"):
        story.repo.check_run(sha, "tests", conclusion=conclusion, workflow_run=run, log=conclusion)
    assert _read(story) == CiEvidence((), (), (), 0)


def test_a_log_that_expired_is_left_out(story: Story) -> None:
    run = story.repo.workflow_run(story.pull.head_sha, "CI", conclusion="failure")
    story.repo.check_run(story.pull.head_sha, "tests", conclusion="failure", workflow_run=run, log="Oh\n").expire_log()
    assert _read(story) == CiEvidence((), (), (), 1)


def test_a_permission_that_is_missing_is_forbidden_and_never_no_evidence(story: Story) -> None:
    _fail(story)
    host = story.github.evidence_host("octo/widgets")
    assert host.evidence(story.pull.head_sha).logs
    for permission in ("actions", "checks", "statuses"):
        level = story.installation.permissions.pop(permission)
        with pytest.raises(Forbidden):
            host.evidence(story.pull.head_sha)
        story.installation.permissions[permission] = level


def test_evidence_needs_to_read_actions_checks_and_statuses_alone(story: Story) -> None:
    _fail(story)
    host = story.github.evidence_host("octo/widgets")
    host.evidence(story.pull.head_sha)
    for permission in ("contents", "issues", "pull_requests"):
        del story.installation.permissions[permission]
    assert host.evidence(story.pull.head_sha).logs
