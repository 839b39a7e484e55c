"""A pull request changes while it is reviewed: between its session and the approval (review §8.3)."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from autoswe.dynamodb.table.attributes import to_item
from autoswe.dynamodb.table.keys import commit_key
from autoswe.rules.review.pulls.reread import SENTENCES, RefusedApproval
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.functions.functions import Invocation
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.review.assembly import CONNECTION, ReviewSite
from tests.scenarios.review.story import ReviewStory

TALKED_ABOUT = "talked-about"
REMARK = InlineComment("README.md", 3, "Is that so?")
Act = Callable[[ReviewStory, Pull], object]


def _push(story: ReviewStory, pull: Pull) -> None:
    sha = story.repository.commit(pull.head_ref, {"README.md": "# Another project\n"}, "Rename it")
    story.repository.check_run(sha, "tests", conclusion="success")


def _retarget(story: ReviewStory, pull: Pull) -> None:
    story.repository.commit("release", {}, "Release")
    pull.base_ref = "release"


def _unfinish(story: ReviewStory, pull: Pull) -> None:
    pull.draft = True
    story.repository.check_run(pull.head_sha, "tests", conclusion="failure")


def _involve_copilot(story: ReviewStory, pull: Pull) -> None:
    copilot = story.site.assembly.host.add_app("copilot-pull-request-reviewer", permissions={}).bot
    pull.review(copilot, "comment", "", [REMARK])
    pull.request_review(copilot)


def _own(story: ReviewStory, pull: Pull) -> None:
    """Let the author be who another App of ours acts as, though the host calls it a person, and the commit be ours."""
    known = story.site.assembly.records.connection(CONNECTION)
    assert known is not None
    story.site.assembly.records.save_connection(known.model_copy(update={"name": "another", "bot_id": pull.author.id}))
    row = to_item(commit_key("another", story.repository.full_name, pull.head_sha))
    boto3.client("dynamodb", region_name=REGION).put_item(TableName=story.site.assembly.aws.table_name, Item=row)


def _talk(story: ReviewStory, pull: Pull) -> None:
    """Let people say what is no verdict, and be asked for one."""
    pull.review(story.reviewer, "comment", "Nice.", [REMARK])
    pull.comment(story.reviewer, "Please wait.")
    pull.request_review(story.reviewer)


AGAINST: dict[str, tuple[Act, tuple[RefusedApproval, ...]]] = {
    "pushed": (_push, (RefusedApproval.HEAD_MOVED,)),
    "retargeted": (_retarget, (RefusedApproval.BASE_RETARGETED,)),
    "approved": (lambda story, pull: pull.review(story.reviewer, "approve"), (RefusedApproval.ALREADY_APPROVED,)),
    "refused": (
        lambda story, pull: pull.review(story.reviewer, "request_changes", "Please."),
        (RefusedApproval.CHANGES_REQUESTED,),
    ),
    "closed": (lambda _story, pull: pull.close(), (RefusedApproval.CLOSED,)),
    "unfinished": (_unfinish, (RefusedApproval.DRAFT, RefusedApproval.CI_NOT_SUCCESS)),
    "copilots": (_involve_copilot, (RefusedApproval.COPILOT_PENDING, RefusedApproval.COPILOT_FEEDBACK)),
    "ours": (_own, (RefusedApproval.OWN_PULL_REQUEST, RefusedApproval.OWN_COMMIT)),
}


class Raced:
    """One live run in which everything happens at once, each thing on a pull request of its own."""

    def __init__(self, site: ReviewSite) -> None:
        story = ReviewStory.begin(site)
        acts = {name: act for name, (act, _) in AGAINST.items()} | {TALKED_ABOUT: _talk}
        self.site = site
        self.pulls = {name: story.open(name, author=site.assembly.host.add_user(f"author-of-{name}")) for name in acts}
        self.reviewed = {name: pull.head_sha for name, pull in self.pulls.items()}
        waiting = {f"{story.repository.name}-{pull.number}": name for name, pull in self.pulls.items()}

        def act(invocation: Invocation) -> None:
            name = waiting.pop(invocation.event["state"]["entry"]["key"])
            acts[name](story, self.pulls[name])

        story.before("Apply review", act)
        self.execution = story.run()
        story.undisturbed()
        assert not waiting
        self._results = story.results(self.execution)

    def result(self, name: str) -> dict[str, Any]:
        """Return what became of a pull request."""
        return self._results[self.pulls[name].number]

    def approved_heads(self, name: str) -> list[str]:
        """List the commits that our approvals of a pull request are on."""
        return [review.commit for review in self.site.approvals(self.pulls[name])]


@pytest.fixture(scope="module")
def raced(site: ReviewSite) -> Raced:
    return Raced(site)


@pytest.mark.parametrize("name", AGAINST)
def test_what_speaks_against_an_approval_since_the_session_leaves_it_to_a_person_with_every_reason(
    raced: Raced, name: str
) -> None:
    _, reasons = AGAINST[name]
    result = raced.result(name)
    assert (result["verdict"], result["tier"]) == ("needs-human", "trivial")
    assert result["reasons"] == [SENTENCES[reason] for reason in reasons]
    assert raced.approved_heads(name) == []


def test_what_people_say_without_a_verdict_does_not_hold_an_approval_up(raced: Raced) -> None:
    result = raced.result(TALKED_ABOUT)
    assert (result["verdict"], result["reasons"]) == ("approved", [])
    assert raced.approved_heads(TALKED_ABOUT) == [raced.reviewed[TALKED_ABOUT]]


def test_one_pull_request_that_changed_costs_no_other_and_the_run_succeeds(raced: Raced) -> None:
    assert raced.execution.status == "SUCCEEDED"
    counts = raced.execution.output["counts"]
    assert (counts["approved"], counts["needs-human"], counts["failed"]) == (1, len(AGAINST), 0)


def test_a_pull_request_of_an_app_of_ours_is_not_even_reviewed(review: ReviewStory) -> None:
    ours = [review.site.app.bot, review.site.assembly.host.add_app("auto-swe", permissions={}).bot]
    pulls = [review.open(f"ours-{number}", author=bot) for number, bot in enumerate(ours)]
    execution = review.run()
    assert review.results(execution) == {}
    assert review.skipped(execution) == ["bot_author", "bot_author"]
    assert not any(map(review.site.approvals, pulls))
