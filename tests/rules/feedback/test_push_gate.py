"""Every gate between a change and a branch (feedback §5)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.push_gate import (
    ChangedFile,
    PushRefusal,
    added_lines,
    demands_signature,
    judge_branch,
    judge_change,
    judge_created_tree,
    judge_opener,
    judge_path,
    judge_pull_request,
    never_pushed,
)
from autoswe.rules.github.facts import Branch, Pull, Repository, Tree, TreeEntry
from autoswe.rules.records.triggers import TriggerKind
from autoswe.rules.settings.resolution import PLATFORM, Resolved, Unreadable

HEAD = "a" * 40
PULL = Pull(7, True, HEAD, "feature", 10, "b" * 40, "main", 10, 99)
REPOSITORY = Repository(10, "R_10", "main", archived=False)
BRANCH = Branch(HEAD, protected=False, rule_types=())
OLD, NEW = "1" * 40, "2" * 40
TREE = Tree("f" * 40, (TreeEntry("src/a.py", "100644", OLD, 3), TreeEntry("run.sh", "100755", OLD, 3)), False)
CHANGE = ChangedFile("src/a.py", "100644", before=OLD, after=NEW)


def test_the_recorded_head_of_an_open_pull_request_may_be_pushed_to() -> None:
    assert judge_pull_request(PULL, HEAD, "feature") is None


@pytest.mark.parametrize(
    ("pull", "refusal"),
    [
        (replace(PULL, is_open=False), PushRefusal.PULL_CLOSED),
        (replace(PULL, head_repository_id=None), PushRefusal.PULL_FROM_FORK),
        (replace(PULL, head_repository_id=11), PushRefusal.PULL_FROM_FORK),
        (replace(PULL, head_ref="other"), PushRefusal.BRANCH_CHANGED),
        (replace(PULL, head_sha="c" * 40), PushRefusal.HEAD_MOVED),
    ],
)
def test_what_is_not_the_recorded_head_any_more_is_not_pushed_to(pull: Pull, refusal: PushRefusal) -> None:
    assert judge_pull_request(pull, HEAD, "feature") is refusal


@pytest.mark.parametrize("trigger", TriggerKind)
@pytest.mark.parametrize("allowed", [True, False])
def test_to_a_pull_request_that_the_platform_opened_any_trigger_may_push(
    trigger: TriggerKind, *, allowed: bool
) -> None:
    assert judge_opener(trigger, opened_by_platform=True, others_allowed=allowed) is None


@pytest.mark.parametrize(("trigger", "allowed", "refusal"), [
    (TriggerKind.COMMAND, True, None),
    (TriggerKind.COMMAND, False, PushRefusal.OTHER_PULL_REQUEST),
    (TriggerKind.CHANGES_REQUESTED, True, PushRefusal.OTHER_PULL_REQUEST),
    (TriggerKind.CHANGES_REQUESTED, False, PushRefusal.OTHER_PULL_REQUEST),
])  # fmt: skip
def test_to_a_pull_request_of_others_only_the_command_may_push_and_only_where_the_settings_allow_it(
    trigger: TriggerKind, refusal: PushRefusal | None, *, allowed: bool
) -> None:
    assert judge_opener(trigger, opened_by_platform=False, others_allowed=allowed) is refusal


def test_an_ordinary_branch_at_the_recorded_head_may_be_pushed_to() -> None:
    assert judge_branch("feature", BRANCH, REPOSITORY, ("release",), HEAD) is None


@pytest.mark.parametrize(
    ("name", "branch", "repository", "refusal"),
    [
        ("feature", BRANCH, replace(REPOSITORY, archived=True), PushRefusal.REPOSITORY_ARCHIVED),
        ("feature", None, REPOSITORY, PushRefusal.BRANCH_MISSING),
        ("main", BRANCH, REPOSITORY, PushRefusal.DEFAULT_BRANCH),
        ("feature", replace(BRANCH, protected=True), REPOSITORY, PushRefusal.PROTECTED_BRANCH),
        ("feature", replace(BRANCH, rule_types=("pull_request",)), REPOSITORY, PushRefusal.PROTECTED_BRANCH),
        ("feature", replace(BRANCH, rule_types=("a_rule_of_tomorrow",)), REPOSITORY, PushRefusal.PROTECTED_BRANCH),
        ("release", BRANCH, REPOSITORY, PushRefusal.NEVER_PUSH_BRANCH),
        ("feature", replace(BRANCH, tip="c" * 40), REPOSITORY, PushRefusal.HEAD_MOVED),
    ],
)
def test_default_protected_listed_and_moved_branches_are_never_pushed_to(
    name: str, branch: Branch | None, repository: Repository, refusal: PushRefusal
) -> None:
    assert judge_branch(name, branch, repository, ("release",), HEAD) is refusal


@pytest.mark.parametrize(("pattern", "listed"), [
    ("release/*", ["release/1", "release/1/hotfix", "release/"]),
    ("*", ["feature", "a/b"]),
    ("*-stable", ["v1-stable"]),
    ("hotfix", ["hotfix"]),
])  # fmt: skip
def test_a_star_in_a_list_of_branches_stands_for_any_characters(pattern: str, listed: list[str]) -> None:
    for name in listed:
        assert judge_branch(name, BRANCH, REPOSITORY, (pattern,), HEAD) is PushRefusal.NEVER_PUSH_BRANCH
    for name in ("Hotfix", "release", "hotfix2"):
        assert (judge_branch(name, BRANCH, REPOSITORY, (pattern,), HEAD) is None) is (pattern != "*")


def test_the_branches_of_the_record_and_of_the_setting_are_listed_together() -> None:
    assert never_pushed(("a",), Resolved(("b*",), PLATFORM)) == ("a", "b*")


def test_a_setting_that_cannot_be_read_lists_every_branch() -> None:
    patterns = never_pushed((), Unreadable("it is broken"))
    assert judge_branch("feature", BRANCH, REPOSITORY, patterns, HEAD) is PushRefusal.NEVER_PUSH_BRANCH


KEPT = ["creation", "deletion", "non_fast_forward", "required_linear_history", "copilot_code_review"]
NOT_KEPT = [
    "update", "pull_request", "merge_queue", "required_status_checks", "required_deployments", "workflows",
    "code_scanning", "license_compliance_scanning", "commit_message_pattern", "commit_author_email_pattern",
    "committer_email_pattern", "branch_name_pattern", "tag_name_pattern", "file_path_restriction",
    "max_file_path_length", "file_extension_restriction", "max_file_size", "a_rule_of_tomorrow", "",
]  # fmt: skip


@given(st.lists(st.sampled_from(KEPT)))
def test_rules_that_our_commit_keeps_do_not_protect_a_branch(rules: list[str]) -> None:
    assert judge_branch("feature", replace(BRANCH, rule_types=tuple(rules)), REPOSITORY, (), HEAD) is None


@given(st.lists(st.sampled_from([*KEPT, "required_signatures"])), st.sampled_from(NOT_KEPT), st.booleans())
def test_one_rule_that_our_commit_may_not_keep_or_that_is_not_known_protects_a_branch(
    rules: list[str], closing: str, signs: bool
) -> None:
    branch, repository = replace(BRANCH, rule_types=(*rules, closing)), replace(REPOSITORY, signs_commits=signs)
    assert judge_branch("feature", branch, repository, (), HEAD) is PushRefusal.PROTECTED_BRANCH


@pytest.mark.parametrize("signs", [True, False])
def test_a_branch_that_demands_signatures_is_open_where_the_host_signs_what_we_commit(*, signs: bool) -> None:
    branch, repository = replace(BRANCH, rule_types=("required_signatures",)), replace(REPOSITORY, signs_commits=signs)
    refusal = None if signs else PushRefusal.PROTECTED_BRANCH
    assert judge_branch("feature", branch, repository, (), HEAD) is refusal
    assert demands_signature(branch)


def test_a_branch_under_other_rules_or_none_demands_no_signature() -> None:
    assert not demands_signature(replace(BRANCH, rule_types=(*KEPT, *NOT_KEPT)))
    assert not demands_signature(BRANCH)


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/ci.yml",
        ".github/actions/build/action.yml",
        ".GitHub/Workflows/ci.yml",
        ".github/workflows",
    ],
)
def test_workflows_and_actions_are_never_touched_in_any_letter_case(path: str) -> None:
    assert judge_path(path) is PushRefusal.PROTECTED_PATH


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a//b",
        "./a",
        ".git/config",
        "a/.GIT/hooks/x",
        ".git. /x",
        "a\x00b",
        "a\nb",
        "a\\b",
        "c:x",
        "git~1/config",
        ".g\u200cit/config",
    ],
)
def test_a_path_that_leaves_the_tree_or_hides_where_it_leads_is_refused(path: str) -> None:
    assert judge_path(path) is PushRefusal.UNSAFE_PATH


@pytest.mark.parametrize(
    "path", ["a.py", ".github/CODEOWNERS", "docs/workflows/ci.yml", ".gitignore", "ä/ö.txt", "a b"]
)
def test_an_ordinary_path_is_allowed(path: str) -> None:
    assert judge_path(path) is None


@given(st.text(max_size=40))
def test_no_text_whatever_makes_a_path_rule_fail(path: str) -> None:
    verdict = judge_path(path)
    if verdict is None:
        assert ".." not in path.split("/")
        assert not path.startswith("/")
        assert ".git" not in path.casefold().split("/")


def test_a_change_of_regular_files_made_from_the_head_is_allowed() -> None:
    added = ChangedFile("new.txt", "100644", before=None, after=NEW)
    deleted = ChangedFile("run.sh", "100755", before=OLD, after=None)
    assert judge_change((CHANGE, added, deleted), TREE) is None


@pytest.mark.parametrize(
    ("files", "tree", "refusal"),
    [
        ((CHANGE,), replace(TREE, truncated=True), PushRefusal.TREE_TRUNCATED),
        ((CHANGE, CHANGE), TREE, PushRefusal.TOO_MANY_PATHS),
        (tuple(replace(CHANGE, path=f"f{n}", before=None) for n in range(201)), TREE, PushRefusal.TOO_MANY_PATHS),
        ((replace(CHANGE, path="../a"),), TREE, PushRefusal.UNSAFE_PATH),
        ((replace(CHANGE, path=".github/workflows/x"),), TREE, PushRefusal.PROTECTED_PATH),
        ((replace(CHANGE, mode="120000"),), TREE, PushRefusal.UNSAFE_MODE),
        ((replace(CHANGE, mode="160000"),), TREE, PushRefusal.UNSAFE_MODE),
        ((CHANGE,), Tree("f" * 40, (TreeEntry("src/a.py", "120000", OLD, 3),), False), PushRefusal.UNSAFE_MODE),
        ((replace(CHANGE, before=NEW),), TREE, PushRefusal.STALE_BASE),
        ((replace(CHANGE, before=None),), TREE, PushRefusal.STALE_BASE),
        ((replace(CHANGE, path="gone.py"),), TREE, PushRefusal.STALE_BASE),
    ],
)
def test_a_change_that_is_not_plainly_regular_files_from_the_head_is_refused(
    files: tuple[ChangedFile, ...], tree: Tree, refusal: PushRefusal
) -> None:
    assert judge_change(files, tree) is refusal


def test_exactly_two_hundred_paths_are_allowed() -> None:
    files = tuple(ChangedFile(f"f{n}", "100644", None, NEW) for n in range(200))
    assert judge_change(files, TREE) is None


def _created(*entries: tuple[str, str, str]) -> Tree:
    return Tree("e" * 40, tuple(TreeEntry(path, mode, sha, 3) for path, mode, sha in entries), truncated=False)


def test_the_created_tree_must_be_the_head_plus_exactly_the_change() -> None:
    right = _created(("src/a.py", "100644", NEW), ("run.sh", "100755", OLD))
    assert judge_created_tree(TREE, right, (CHANGE,)) is None


@pytest.mark.parametrize(
    "created",
    [
        _created(("src/a.py", "100644", NEW)),
        _created(("src/a.py", "100644", NEW), ("run.sh", "100755", OLD), ("extra", "100644", NEW)),
        _created(("src/a.py", "100755", NEW), ("run.sh", "100755", OLD)),
        _created(("src/a.py", "100644", OLD), ("run.sh", "100755", OLD)),
        _created(("src/a.py", "100644", NEW), ("run.sh", "100644", OLD)),
    ],
)
def test_a_created_tree_with_anything_lost_added_or_otherwise_changed_is_refused(created: Tree) -> None:
    assert judge_created_tree(TREE, created, (CHANGE,)) is PushRefusal.TREE_DIFFERS


def test_a_created_tree_lacks_what_the_change_deletes_and_nothing_else() -> None:
    deletion = replace(CHANGE, after=None)
    assert judge_created_tree(TREE, _created(("run.sh", "100755", OLD)), (deletion,)) is None
    assert judge_created_tree(TREE, TREE, (deletion,)) is PushRefusal.TREE_DIFFERS
    assert judge_created_tree(TREE, TREE, (replace(deletion, path="never.there"),)) is None


def test_a_truncated_created_tree_is_never_taken_for_the_whole() -> None:
    right = _created(("src/a.py", "100644", NEW), ("run.sh", "100755", OLD))
    assert judge_created_tree(TREE, replace(right, truncated=True), (CHANGE,)) is PushRefusal.TREE_TRUNCATED


def test_added_lines_are_those_the_file_did_not_hold_before() -> None:
    assert added_lines(b"a\nb\n", b"b\nc\r\na\nd") == "c\nd"
    assert added_lines(b"", b"a\n") == "a"


def test_an_added_line_that_is_not_utf8_is_still_looked_through_for_secrets() -> None:
    assert added_lines(b"", b"token \xff x") == "token \ufffd x"
