"""What a scheduled review reads of a GitHub with several repositories, and the approval that it writes."""

import io

import pytest

from autoswe.ports.github import Gone, Refused, Unavailable
from autoswe.ports.review.hosts import CheckRow, ScannedRepository
from autoswe.rules.review.diff.changed_files import Side
from autoswe.rules.review.pulls.candidate import Account, Requested, Thread, is_copilot
from autoswe.rules.review.pulls.reread import Reviewed, judge_reread
from autoswe.rules.review.run.preflight import judge_read_token, judge_write_token
from infra.local.github_host.git.history import File
from infra.local.github_host.http.faults import lose_reply, overrun, withhold
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment
from tests.adapters.github.against_host.story import Story

WIDGETS = "octo/widgets"
STATES = "graphql PullStates"


def _fork(story: Story) -> Pull:
    fork = story.host.add_repository("author/widgets", fork_of=story.repo)
    fork.commit("main", {"run.sh": File(b"#!/bin/sh\n", "100755"), "a.txt": None}, "Fork", author=story.author)
    return story.repo.open_pull("main", "main", story.author, "From a fork", "Why not?", head_repository=fork)


def test_a_scan_of_two_hundred_pull_requests_takes_a_twentieth_of_a_call_for_each(story: Story) -> None:
    story.pull.close()
    for number in range(10):
        repo = story.host.add_repository(f"octo/r{number}")
        repo.commit("main", {"a.txt": "a"}, "Start")
        repo.commit("work", {"a.txt": "b"}, "Work")
        story.installation.repositories.append(repo)
        for pull in range(20):
            repo.open_pull("work", "main", story.author, f"Change {pull}")
    host = story.github.scan_host()
    repositories = [one.full_name for one in host.repositories("octo")]
    pulls = [(one.candidate.repository, one.candidate.number) for one in host.open_pulls(repositories)]
    states = host.states(pulls)
    assert (len(states), None in states) == (200, False)
    asked = [call for call in story.operations() if "access_tokens" not in call]
    assert len(asked) / len(pulls) <= 0.05


def test_a_token_for_reading_passes_the_checks_before_its_use(story: Story) -> None:
    host = story.github.scan_host()
    assert judge_read_token("auto-swe", host.app_slug(), host.powers(WIDGETS)) == ()
    assert judge_write_token("auto-swe", story.github.approve_host().app_slug()) is None


def test_archived_repositories_are_listed_as_such(story: Story) -> None:
    story.repo.archived = True
    host = story.github.scan_host()
    assert host.repositories("octo") == (ScannedRepository(WIDGETS, archived=True),)
    (listed,) = host.open_pulls([WIDGETS])
    assert listed.candidate.archived


def test_a_named_pull_request_is_listed_as_a_scan_lists_it(story: Story) -> None:
    host = story.github.scan_host()
    assert host.named_pulls([(WIDGETS, 1)]) == host.open_pulls([WIDGETS])
    with pytest.raises(Gone):
        host.named_pulls([(WIDGETS, 2)])


def test_the_state_of_a_pull_request_is_read_with_all_that_people_and_bots_did(story: Story) -> None:
    copilot = story.host.add_app("copilot-pull-request-reviewer", permissions={"pull_requests": "write"}).bot
    ghost = story.host.add_user("ghost-to-be")
    story.pull.review(story.alice, "approve")
    story.pull.review(ghost, "request_changes", "No")
    story.host.delete_account(ghost)
    story.pull.review(copilot, "comment", "Hm", [InlineComment("a.txt", 2, "Why?")])
    story.pull.request_review(copilot)
    story.repo.check_run(story.pull.head_sha, "tests", conclusion="success")
    host = story.github.scan_host()
    host.open_pulls([WIDGETS])
    (found,) = host.states([(WIDGETS, 1)])
    assert found is not None
    assert (found.state, found.is_draft, found.mergeable, found.rollup) == ("OPEN", False, "MERGEABLE", "SUCCESS")
    assert (found.head_sha, found.base_sha, found.changed_files) == (story.pull.head_sha, story.pull.base_sha, 1)
    assert found.reviews is not None
    assert [(review.author, review.state, review.commit) for review in found.reviews] == [
        ("alice", "APPROVED", story.pull.head_sha),
        (None, "CHANGES_REQUESTED", story.pull.head_sha),
        ("copilot-pull-request-reviewer[bot]", "COMMENTED", story.pull.head_sha),
    ]
    assert found.requested == (Requested("Bot", "copilot-pull-request-reviewer"),)
    opener = Account("Bot", "copilot-pull-request-reviewer[bot]")
    assert found.threads == (Thread(resolved=False, opener=opener),)
    assert is_copilot(opener.typename, opener.login)


def test_more_of_a_list_than_comes_with_the_state_is_read_to_its_end(story: Story) -> None:
    for number in range(105):
        story.pull.review(story.alice, "comment", str(number))
    host = story.github.scan_host()
    host.open_pulls([WIDGETS])
    (found,) = host.states([(WIDGETS, 1)])
    assert found is not None
    assert found.reviews is not None
    assert len(found.reviews) == 105


def test_a_batch_that_times_out_is_halved_and_read_whole(story: Story) -> None:
    for number in range(9):
        story.repo.open_pull(story.pull.head_ref, "main", story.author, str(number))
    host = story.github.scan_host()
    pulls = [(WIDGETS, one.candidate.number) for one in host.open_pulls([WIDGETS])]
    story.host.faults.add(STATES, overrun(status=504), times=2)
    assert None not in host.states(pulls)
    # Ten and five are too many; twos of the rest follow.
    assert story.operations().count(STATES) == 2 + 5
    assert story.slept == []


def test_a_part_that_may_not_be_seen_makes_the_state_absent(story: Story) -> None:
    story.repo.check_run(story.pull.head_sha, "tests", conclusion="success")
    host = story.github.scan_host()
    host.open_pulls([WIDGETS])
    story.host.faults.add(STATES, withhold("nodes", 0, "statusCheckRollup"))
    assert host.states([(WIDGETS, 1)]) == (None,)


def test_a_fork_s_pull_request_is_read_through_its_base_repository(story: Story) -> None:
    pull = _fork(story)
    story.repo.check_run(pull.head_sha, "tests", conclusion="success")
    story.repo.set_status(pull.head_sha, "deploy", "success")
    pull.label("bug")
    host = story.github.scan_host()
    details = host.details(WIDGETS, pull.number)
    assert (details.author, details.is_fork, details.head_repository) == ("author", True, "author/widgets")
    assert (details.title, details.body, details.labels) == ("From a fork", "Why not?", ("bug",))
    assert (details.head_sha, details.head_ref, details.base_ref) == (pull.head_sha, "main", "main")
    assert set(details.checks) == {
        CheckRow("tests", "COMPLETED", "SUCCESS"),
        CheckRow("deploy", "COMPLETED", "SUCCESS"),
    }
    changes = host.changes(WIDGETS, pull.number)
    assert [(file.path, file.status) for file in changes.files] == [("a.txt", "removed"), ("run.sh", "added")]
    assert (changes.diff.head_sha, changes.diff.base_sha) == (pull.head_sha, pull.base_sha)
    (commit,) = host.commits(WIDGETS, pull.number)
    assert (commit.sha, commit.message, commit.verified) == (pull.head_sha, "Fork", False)
    assert host.file_at(WIDGETS, pull.head_sha, "run.sh") == Side("100755", "#!/bin/sh\n")
    assert host.file_at(WIDGETS, pull.head_sha, "a.txt") is None
    source = story.github.review_source_host(WIDGETS)
    assert {entry.path for entry in source.tree(pull.head_sha).entries} >= {"run.sh"}
    archive = io.BytesIO()
    source.archive(pull.head_sha, archive, 1 << 20)
    assert archive.tell() > 0
    story.host.delete_repository(pull.head_repository)
    assert host.details(WIDGETS, pull.number).head_repository is None


def test_a_diff_that_moves_while_it_is_read_says_where_it_ended(story: Story) -> None:
    host = story.github.scan_host()
    host.open_pulls([WIDGETS])
    (before,) = host.states([(WIDGETS, 1)])
    moved = story.repo.commit(story.pull.head_ref, {"b.txt": "b"}, "More")
    assert before is not None
    assert before.head_sha != moved
    assert host.changes(WIDGETS, 1).diff.head_sha == moved


def test_an_approval_lands_once_and_is_found_again(story: Story) -> None:
    head = story.pull.head_sha
    story.repo.check_run(head, "tests", conclusion="success")
    reread, approve = story.github.reread_host(), story.github.approve_host()
    assert judge_reread(Reviewed(head, "main"), reread.live(WIDGETS, 1), ()) == ()
    page = approve.approve(WIDGETS, 1, head, "Fine")
    (own,) = reread.reviews_by_us(WIDGETS, 1)
    assert (own.commit_id, own.state, own.url, own.body) == (head, "APPROVED", page, "Fine")


def test_an_approval_whose_answer_is_lost_can_be_found(story: Story) -> None:
    story.pull.review(story.alice, "comment", "Hm")
    story.host.faults.add("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", lose_reply(), times=-1)
    with pytest.raises(Unavailable):
        story.github.approve_host().approve(WIDGETS, 1, story.pull.head_sha, "Fine")
    (own,) = story.github.reread_host().reviews_by_us(WIDGETS, 1)
    assert own.body == "Fine"


def test_the_host_refuses_to_approve_our_own_pull_request_or_a_commit_of_no_such_pull_request(story: Story) -> None:
    approve = story.github.approve_host()
    with pytest.raises(Refused):
        approve.approve(WIDGETS, 1, story.repo.tip("main"), "Fine")
    story.repo.commit("ours", {"o.txt": "o"}, "Ours")
    ours = story.repo.open_pull("ours", "main", story.app.bot, "Ours")
    with pytest.raises(Refused):
        approve.approve(WIDGETS, ours.number, ours.head_sha, "Fine")
    assert story.github.reread_host().live(WIDGETS, ours.number).by_us
    assert (story.pull.reviews, ours.reviews) == ([], [])
