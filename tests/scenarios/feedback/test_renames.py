"""A repository is its number: a new name or a new owner changes nothing for its rounds (feedback §7)."""

from collections.abc import Callable, Iterator

import boto3
import pytest

from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.functions.functions import Hooks, Invocation
from tests.scenarios.story import FIXED, Story
from tests.support.containers.warm import warm_task


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with LocalAssembly(tmp_path_factory.mktemp("renames"), task=warm_task()) as up:
        yield up


@pytest.fixture
def story(assembly: LocalAssembly) -> Iterator[Story]:
    one = Story.begin(assembly)
    one.settle_ci("success")
    yield one
    assembly.aws.hooks.before_invoke = Hooks().before_invoke


def rename(story: Story) -> None:
    story.site.host.rename(story.repository, f"{story.repository.name}-renamed")


def events(story: Story, name: str) -> list[str]:
    """List the activity events of the pull request under a name of its repository."""
    answer = boto3.client("dynamodb", region_name=REGION).query(
        TableName=story.assembly.aws.table_name,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"PR#{story.site.connection}#{name}#{story.pull.number}"}},
    )
    return [row["event"]["S"] for row in answer["Items"] if "event" in row]


def served(story: Story) -> bool:
    fixed = story.repository.read("feature", "total.py").decode() == FIXED
    return fixed and len(story.summaries()) == 1 and [len(thread) for thread in story.replies()] == [1, 1]


def before(story: Story, state: str, act: Callable[[], object]) -> None:
    acted: list[str] = []

    def look(invocation: Invocation) -> None:
        if invocation.state == state and not acted:
            acted.append(state)
            act()

    story.assembly.aws.hooks.before_invoke = look


def test_a_renamed_repository_is_served_under_the_records_of_its_number_and_that_is_noticed(story: Story) -> None:
    recorded = story.repository.full_name
    rename(story)
    story.request_changes()
    story.finish()
    assert served(story)
    assert events(story, recorded).count("repository_renamed") == 1
    assert events(story, story.repository.full_name) == [], "everything stays under the recorded name"


@pytest.mark.parametrize("state", ["Gather feedback", "Push fix", "Respond", "Poll CI"])
def test_a_repository_that_is_renamed_in_mid_round_is_served(story: Story, state: str) -> None:
    before(story, state, lambda: rename(story))
    story.request_changes()
    story.finish()
    assert served(story)


def test_a_repository_that_takes_a_name_another_one_has_left_is_not_acted_on(story: Story) -> None:
    recorded = story.repository.full_name
    rename(story)
    host = story.assembly.host
    newcomer = host.add_repository(recorded)
    newcomer.commit("main", {"README.md": "Another project.\n"}, "Begin")
    newcomer.commit("feature", {"total.py": "pass\n"}, "Theirs", author=story.pull.author)
    theirs = newcomer.open_pull("feature", "main", story.pull.author, "Theirs")
    [installation] = [one for one in host.state.installations.values() if one.app is story.site.app]
    installation.repositories.append(newcomer)
    theirs.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    assert [one for one in theirs.comments if one.author is story.site.app.bot] == []
    assert story.executions() == []
    story.request_changes()
    story.finish()
    assert served(story)
