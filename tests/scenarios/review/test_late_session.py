"""A review session that never ends is ended, and leaves its entry to a person (review §8.1)."""

from pathlib import Path

from infra.local.assembly import LocalAssembly
from infra.local.review.assembly import ReviewSite, review_task
from tests.scenarios.review.pulls import ORG, new_repository, open_pull
from tests.support.containers.warm import warm_task
from tests.support.review.scripted_reviewer import ScriptedReviewer


def test_a_session_that_hangs_is_ended_and_approves_nothing(tmp_path: Path) -> None:
    reviewer = ScriptedReviewer.install(tmp_path)
    root = tmp_path / "assembly"
    with (
        LocalAssembly(
            root, more_tasks=[warm_task(review_task(reviewer.command))], reviewer="command", task_timeout_seconds=2
        ) as assembly,
    ):
        repository = new_repository(assembly.host, "tools")
        pull = open_pull(repository, assembly.host.add_user("a-developer"), "Reword")
        reviewer.hangs(pull)
        site = ReviewSite.open(assembly, [repository])
        execution = site.run(ORG, dry_run=False)
        assert execution.status == "SUCCEEDED"
        [result] = site.report(execution)["results"]
        assert (result["verdict"], result["tier"]) == ("needs-human", "needs-human")
        assert result["reasons"][0].endswith("the session ended with States.Timeout")
        assert not site.approvals(pull)
        [session] = assembly.aws.failed_tasks()
        assert session.stopped_from_outside
