"""What the host refuses each function's token."""

import pytest

from autoswe.github.discussions.comments import Comments
from autoswe.github.git.commits import MovableRefs
from autoswe.github.transport.tokens import PERMISSIONS
from autoswe.ports.github import Forbidden
from tests.adapters.github.against_host.story import GRANTED, REF, Story
from tests.adapters.github.scripted import read_repository


def test_the_installation_grants_no_more_than_the_functions_ask_for() -> None:
    asked = {(name, level) for function in PERMISSIONS.values() for name, level in function.items()}
    assert {name for name, _ in asked} - {"metadata"} == set(GRANTED)
    assert all((name, level) in asked for name, level in GRANTED.items())


def test_a_permission_the_installation_lost_is_forbidden_and_never_an_empty_answer(story: Story) -> None:
    number, sha = story.pull.number, story.pull.head_sha
    story.repo.check_run(sha, "tests", conclusion="success")
    story.repo.set_status(sha, "deploy", "success")
    host = story.github.check_host("octo/widgets")
    run = story.repo.workflow_run(sha, "CI", status="completed", conclusion="success")
    story.repo.check_run(sha, "lint", conclusion="success", workflow_run=run)
    assert len(host.ci(number, sha, sha).checks.checks) == 3
    for permission in ("pull_requests", "actions", "checks", "contents", "statuses"):
        level = story.installation.permissions.pop(permission)
        with pytest.raises(Forbidden):
            host.ci(number, sha, sha)
        story.installation.permissions[permission] = level


def test_a_permission_that_was_never_granted_stops_the_mint(story: Story) -> None:
    del story.installation.permissions["contents"]
    with pytest.raises(Forbidden, match="not granted"):
        read_repository(story.github.push_host("octo/widgets"))


def test_a_suspended_or_removed_installation_is_forbidden(story: Story) -> None:
    story.installation.suspend()
    with pytest.raises(Forbidden, match="suspended"):
        read_repository(story.github.gather_host("octo/widgets"))
    story.installation.unsuspend()
    story.installation.remove()
    with pytest.raises(Forbidden):
        story.github.gather_host("octo/widgets").ref(REF)


def test_a_repository_outside_the_installation_is_forbidden(story: Story) -> None:
    story.host.add_repository("octo/gadgets")
    for name in ("octo/gadgets", "octo/nothing", "author/widgets"):
        with pytest.raises(Forbidden):
            read_repository(story.github.gather_host(name))


def test_a_token_writes_only_what_its_function_writes(story: Story) -> None:
    reading = story.github.gather_host("octo/widgets")._api
    pushing = story.github.push_host("octo/widgets")._api
    reporting = story.github.report_host("octo/widgets")._api
    for api in (reading, pushing):
        with pytest.raises(Forbidden, match="Resource not accessible by integration"):
            Comments(api).comment(story.pull.number, "Hello")
    for api in (reading, reporting):
        with pytest.raises(Forbidden, match="Resource not accessible by integration"):
            MovableRefs(api).drop_ref(REF)
