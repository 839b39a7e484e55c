"""Rounds on pull requests that the platform did not open: the command alone, where they are taken and allowed (feedback
§1, §2, §5).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from typer.testing import CliRunner

from autoswe.cli.app import assemble
from autoswe.contracts.records.platform import Automation
from autoswe.rules.records.triggers import PullRequestScope
from autoswe.rules.settings.registry import KILL_SWITCH, OTHER_PULL_REQUESTS, Setting
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.github_host.http.faults import refuse
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import FIXED, FLAWED, SUGGESTION, Story

READ_PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}"
MINT = "POST /app/installations/{installation_id}/access_tokens"
BOTH = (PullRequestScope.PLATFORM, PullRequestScope.OTHERS)


@dataclass
class Theirs:
    """A pull request that somebody else opened on a branch of the repository; the functions that ran, in order."""

    story: Story
    ran: list[str]

    def set(self, setting: Setting[bool], value: bool) -> None:
        assembly = self.story.assembly
        assembly.records.save_setting(setting, value, by="an-operator", at=assembly.clock.now())

    def take(self, *scopes: PullRequestScope) -> None:
        automation = Automation(automation_id="address-pr-feedback", enabled=True, pull_requests=scopes)
        self.story.assembly.records.save_automation(self.story.site.connection, automation)

    def before(self, function: str, act: Callable[[], object]) -> None:
        """Act once, just before the next call of a function."""

        def called(invocation: Invocation) -> None:
            if invocation.function == function and function not in acted:
                acted.append(function)
                act()

        acted: list[str] = []
        self.story.assembly.aws.hooks.before_invoke = called

    def command(self, *, by_stranger: bool = False) -> None:
        """Leave a suggestion, and let somebody ask for a fix; forget what was asked of the host before."""
        story = self.story
        story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
        self._asked_from_now()
        story.pull.comment(story.stranger if by_stranger else story.reviewer, "/auto-swe fix")
        story.finish()

    def request_changes(self) -> None:
        self._asked_from_now()
        self.story.request_changes()
        self.story.finish()

    def _asked_from_now(self) -> None:
        self.story.finish()
        self.story.assembly.host.calls.clear()
        self.ran.clear()

    def asked(self) -> list[str]:
        """List what was asked of the host."""
        return [call.operation for call in self.story.assembly.host.calls]

    def fire(self) -> tuple[str, str | None]:
        [row] = self.story.rows("FIRE#")
        return row["outcome"], row.get("reason")

    def said(self) -> str:
        """Return the one thing that we said, without the line that holds the marker."""
        [comment] = self.story.summaries()
        return comment.body.split("\n", 1)[1].replace("###", "")

    def is_untouched(self) -> bool:
        return self.story.repository.store.tip("theirs") == self.story.head and not self.story.summaries()


@pytest.fixture
def theirs(assembly: LocalAssembly, story: Story) -> Iterator[Theirs]:
    head = story.repository.commit("theirs", {"total.py": FLAWED}, "Add a total", author=story.stranger)
    pull = story.repository.open_pull("theirs", "main", story.stranger, "Theirs")
    told = Theirs(replace(story, pull=pull, head=head), [])
    told.take(*BOTH)
    told.set(OTHER_PULL_REQUESTS, True)

    def invoked(invocation: Invocation, _outcome: Outcome) -> None:
        told.ran.append(invocation.function)

    assembly.aws.hooks.after_invoke = invoked
    yield told
    assembly.aws.hooks.after_invoke = lambda _invocation, _outcome: None
    assembly.aws.hooks.before_invoke = lambda _invocation: None
    told.set(OTHER_PULL_REQUESTS, False)
    told.set(KILL_SWITCH, True)


@pytest.mark.parametrize("scopes", [(PullRequestScope.OTHERS,), BOTH])
def test_a_members_command_on_a_pull_request_of_others_gets_one_round_however_often_it_is_delivered(
    assembly: LocalAssembly, theirs: Theirs, scopes: tuple[PullRequestScope, ...]
) -> None:
    theirs.take(*scopes)
    theirs.command()
    assert theirs.fire() == ("succeeded", None)
    assert theirs.story.repository.read("theirs", "total.py").decode() == FIXED
    assert (
        theirs.ran.index("receive_delivery") < theirs.ran.index("resolve_intake") < theirs.ran.index("start_workflow")
    )
    assert theirs.asked()[:2] == [MINT, READ_PULL]

    [comment] = [
        one
        for one in assembly.host.deliveries
        if one.app is theirs.story.site.app
        and one.event == "issue_comment"
        and one.payload["comment"]["body"] == "/auto-swe fix"
    ]
    for _ in range(3):
        assembly.host.deliver(comment)
    theirs.story.finish()
    assert len(theirs.story.executions()) == 1
    assert theirs.fire() == ("succeeded", None)
    assert len(theirs.story.summaries()) == 1


@pytest.mark.parametrize("scopes", [(PullRequestScope.OTHERS,), BOTH])
def test_with_the_setting_off_a_command_is_answered_in_general_words_and_nothing_is_fixed(
    theirs: Theirs, scopes: tuple[PullRequestScope, ...]
) -> None:
    theirs.take(*scopes)
    theirs.set(OTHER_PULL_REQUESTS, False)
    theirs.command()
    assert theirs.fire() == ("skipped", "others_not_allowed")
    assert "not one that an automation may act on here" in theirs.said()
    assert not any(character.isdigit() for character in theirs.said())
    assert not {"resolve_intake", "prepare_task", "push_fix"} & set(theirs.ran)


def test_a_setting_that_is_switched_off_between_comment_and_gathering_skips_the_round_visibly(theirs: Theirs) -> None:
    theirs.before("gather_feedback", lambda: theirs.set(OTHER_PULL_REQUESTS, False))
    theirs.command()
    assert theirs.fire() == ("skipped", "others_not_allowed")
    assert "not one that an automation may act on here" in theirs.said()
    assert "prepare_task" not in theirs.ran


def test_a_setting_that_is_switched_off_between_gathering_and_push_refuses_the_push(theirs: Theirs) -> None:
    theirs.before("push_fix", lambda: theirs.set(OTHER_PULL_REQUESTS, False))
    theirs.command()
    assert theirs.fire() == ("failed", "other_pull_request")
    assert theirs.story.repository.store.tip("theirs") == theirs.story.head
    assert "a check before the push did not allow it" in theirs.said()
    assert not theirs.story.has_work_branch()


@pytest.mark.parametrize("status", [404, 410])
def test_a_pull_request_that_is_gone_before_it_is_looked_for_is_ignored_and_not_tried_again(
    assembly: LocalAssembly, theirs: Theirs, status: int
) -> None:
    theirs.before("resolve_intake", lambda: assembly.host.faults.add(READ_PULL, refuse(status, "It is gone.")))
    theirs.command()
    assert theirs.ran.count("resolve_intake") == 1
    assert theirs.asked() == [MINT, READ_PULL]
    assert theirs.story.executions() == []
    why = CliRunner().invoke(assemble([]), ["why", name_of(theirs.story), "--connection", theirs.story.site.connection])
    assert "was resolved as ignored (pull_gone)." in why.stdout


def test_a_strangers_command_is_nothing_and_asks_nothing_of_the_host(theirs: Theirs) -> None:
    before = theirs.story.rows("")
    theirs.command(by_stranger=True)
    assert (theirs.ran, theirs.asked()) == (["receive_delivery"], [])
    assert (theirs.story.executions(), theirs.story.rows("")) == ([], before)
    assert theirs.is_untouched()


def test_a_fork_is_skipped_in_silence(assembly: LocalAssembly, theirs: Theirs) -> None:
    story = theirs.story
    fork = assembly.host.add_repository(f"{story.stranger.login}/fork", fork_of=story.repository)
    story.pull.head_repository = fork
    theirs.command()
    assert theirs.fire() == ("skipped", "pull_from_fork")
    assert theirs.is_untouched()


@pytest.mark.parametrize("scopes", [(PullRequestScope.OTHERS,), (PullRequestScope.PLATFORM,), BOTH])
@pytest.mark.parametrize("allowed", [True, False])
def test_a_request_for_changes_is_nothing_and_asks_nothing_of_the_host(
    theirs: Theirs, scopes: tuple[PullRequestScope, ...], *, allowed: bool
) -> None:
    theirs.take(*scopes)
    theirs.set(OTHER_PULL_REQUESTS, allowed)
    before = theirs.story.rows("")
    theirs.request_changes()
    assert set(theirs.ran) == {"receive_delivery"}
    assert (theirs.asked(), theirs.story.executions(), theirs.story.rows("")) == ([], [], before)
    assert theirs.is_untouched()


def test_a_command_is_answered_in_general_words_where_our_own_pull_requests_alone_are_taken(theirs: Theirs) -> None:
    theirs.take(PullRequestScope.PLATFORM)
    theirs.command()
    assert theirs.fire() == ("skipped", "other_pull_request")
    assert "not one that this automation acts on" in theirs.said()
    assert not {"resolve_intake", "prepare_task", "push_fix"} & set(theirs.ran)


def _switch_off(theirs: Theirs) -> None:
    theirs.set(KILL_SWITCH, False)


def _disable(theirs: Theirs) -> None:
    automation = Automation(automation_id="address-pr-feedback", enabled=False, pull_requests=BOTH)
    theirs.story.assembly.records.save_automation(theirs.story.site.connection, automation)


def _record_it_as_ours(theirs: Theirs) -> None:
    theirs.take(PullRequestScope.OTHERS)
    theirs.story.assembly.record_origin(theirs.story.site, theirs.story.pull)


@pytest.mark.parametrize("prevent", [_switch_off, _disable, _record_it_as_ours])
@pytest.mark.parametrize("late", [True, False])
def test_where_nothing_could_start_no_token_is_minted_and_no_head_is_read(
    theirs: Theirs, prevent: Callable[[Theirs], None], *, late: bool
) -> None:
    """Whether it was so when the comment came, or only when it was about to be decided on."""
    if late:
        theirs.before("resolve_intake", lambda: prevent(theirs))
    else:
        prevent(theirs)
    theirs.command()
    assert ("resolve_intake" in theirs.ran) is late
    assert theirs.asked() == []
    assert theirs.story.executions() == []
    assert theirs.is_untouched()


def name_of(story: Story) -> str:
    return f"{story.repository.full_name}#{story.pull.number}"
