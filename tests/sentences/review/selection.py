"""§5: which pull requests are reviewed, and why the others are not."""

from tests.sentences.sentence import Branch, Inversion, Sentence

SELECTION = "autoswe.rules.review.pulls.selection"
CANDIDATE = "autoswe.rules.review.pulls.candidate"
SIMULATION = "autoswe.rules.review.pulls.simulation"

TESTS = "tests/rules/review/pulls/test_selection.py"
EACH_REASON = f"{TESTS}::test_each_reason_catches_what_it_means_and_what_is_not_told_is_no_pass"
LET_THROUGH = f"{TESTS}::test_what_is_no_reason_lets_a_pull_request_through"
LATEST_COUNTS = f"{TESTS}::test_a_reviewers_latest_review_that_says_anything_counts"
ORDER = f"{TESTS}::test_the_first_rule_in_the_order_names_the_reason"
EXCLUDED = f"{TESTS}::test_an_excluded_repository_is_left_out_unless_the_pull_request_was_named"
STAGES = f"{TESTS}::test_a_skip_after_a_brief_reading_is_the_skip_after_the_full_one"
NOT_READ_YET = f"{TESTS}::test_a_rule_whose_facts_are_not_read_yet_stops_the_brief_judgement_without_a_skip"
FIRST_OF_ALL = f"{TESTS}::test_a_bot_and_a_foreign_repository_are_left_out_before_anything_else_is_read"


def rollup(word: str) -> Branch:
    """Name the place of a word among those that sum up the checks."""
    return Branch(SELECTION, "_STATE_RULES", f"'{word}'", Inversion.LEFT_OUT)


SENTENCES = (
    Sentence(
        "5.2",
        (
            Branch(SELECTION, "judge_full", "finding is not _Finding.CLEAR"),
            Branch(SELECTION, "judge_brief", "finding is not _Finding.CLEAR"),
        ),
        (ORDER, STAGES, f"{TESTS}::test_a_pull_request_that_no_rule_catches_is_selected"),
    ),
    Sentence(
        "5.2.1",
        (
            Branch(SELECTION, "_repository", "owner != policy.org.casefold()"),
            Branch(SELECTION, "_repository", "candidate.archived"),
            Branch(SELECTION, "_repository", "name in policy.excluded"),
        ),
        (EACH_REASON, EXCLUDED),
    ),
    Sentence(
        "5.2.2",
        (
            Branch(SELECTION, "_bot_author", "is_person(candidate.author)"),
            Branch(CANDIDATE, "is_person", "account.is_bot"),
            Branch(CANDIDATE, "is_person", "account.typename in _PEOPLE"),
            Branch(CANDIDATE, "is_person", "account.login.casefold().endswith(_BOT_SUFFIX)"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence("5.2.3", (Branch(SELECTION, "_STATE_RULES", "state.state != 'OPEN'"),), (EACH_REASON,)),
    Sentence("5.2.4", (Branch(SELECTION, "_STATE_RULES", "state.is_draft"),), (EACH_REASON,)),
    Sentence(
        "5.2.5", (Branch(SELECTION, "_conflicting", "state.mergeable == 'CONFLICTING'"),), (EACH_REASON, LET_THROUGH)
    ),
    Sentence(
        "5.2.6",
        (Branch(SELECTION, "_changes_requested", "review.state == CHANGES_REQUESTED"),),
        (EACH_REASON, LATEST_COUNTS),
    ),
    Sentence(
        "5.2.7",
        (
            Branch(SELECTION, "_already_approved", "review.state == APPROVED"),
            Branch(SELECTION, "_already_approved", "state.head_sha", Inversion.LEFT_OUT),
            Branch(SELECTION, "_already_approved", "None", Inversion.LEFT_OUT),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.2.8",
        (
            Branch(SELECTION, "_copilot_pending", "is_copilot(asked.typename, asked.login)"),
            Branch(CANDIDATE, "is_copilot", "typename == 'Bot'"),
            Branch(CANDIDATE, "_COPILOT", "'copilot'", Inversion.LEFT_OUT),
            Branch(CANDIDATE, "_COPILOT", "'copilot-pull-request-reviewer'", Inversion.LEFT_OUT),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.2.9",
        (
            Branch(SELECTION, "_copilot_feedback", "is_copilot(opener.typename, opener.login)"),
            Branch(SELECTION, "_copilot_feedback", "not thread.resolved"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence("5.2.10", (rollup("PENDING"), rollup("EXPECTED")), (EACH_REASON,)),
    Sentence("5.2.11", (rollup("FAILURE"), rollup("ERROR")), (EACH_REASON,)),
    Sentence("5.2.12", (Branch(SELECTION, "_ci_none", "state.rollup is None"),), (EACH_REASON, LET_THROUGH)),
    Sentence(
        "5.2.13",
        (
            Branch(SELECTION, "_already_assessed", "is_assessed(ledger, key, dry_run=policy.dry_run)"),
            Branch("autoswe.rules.review.run.ledger", "is_assessed", "entry is not None"),
        ),
        (f"{TESTS}::test_a_head_that_the_ledger_holds_is_not_assessed_again", LET_THROUGH),
    ),
    Sentence(
        "5.2.14",
        (
            Branch(SELECTION, "_head_moved", "(diff.head_sha, diff.base_sha) != (state.head_sha, state.base_sha)"),
            Branch(SELECTION, "_head_moved", "diff.base_sha", Inversion.LEFT_OUT),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.2.15",
        (
            Branch(SELECTION, "_too_many_files", "candidate.state.changed_files > MAX_FILES"),
            Branch(SELECTION, "_too_large", "diff.files > MAX_FILES"),
            Branch(SELECTION, "_too_large", "diff.patch_bytes > MAX_PATCH_BYTES"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.2.16",
        (
            Branch(SIMULATION, "select_again", "SkipReason.CAP"),
            Branch(SELECTION, "in_order_of_age", "pair[0]", Inversion.LEFT_OUT),
        ),
        (
            "tests/rules/review/pulls/test_simulation.py"
            "::test_a_recorded_scan_is_decided_again_with_its_cap_and_the_longest_untouched_first",
            f"{TESTS}::test_the_longest_untouched_come_first_and_equal_ones_by_name_and_number",
        ),
    ),
    Sentence("5.2.17", (Branch(SELECTION, "_skip", "finding is _Finding.CAUGHT"),), (EACH_REASON,)),
    Sentence(
        "5.3.1",
        (
            Branch(CANDIDATE, "standing_opinions", "latest[reviewer][0] <= review.submitted_at"),
            Branch(CANDIDATE, "standing_opinions", "reviewer not in latest"),
        ),
        (LATEST_COUNTS,),
    ),
    Sentence(
        "5.3.2",
        tuple(
            Branch(CANDIDATE, "_SAYS_NOTHING", f"'{state}'", Inversion.LEFT_OUT)
            for state in ("COMMENTED", "PENDING", "DISMISSED")
        ),
        (LATEST_COUNTS,),
    ),
    Sentence("5.3.3", (Branch(CANDIDATE, "standing_opinions", "review.author is None"),), (LATEST_COUNTS,)),
    Sentence(
        "5.4",
        (Branch(SELECTION, "_skip", "finding is _Finding.CAUGHT"),),
        (EACH_REASON, NOT_READ_YET),
    ),
    Sentence(
        "5.4.1",
        (
            Branch(CANDIDATE, "standing_opinions", "review.state not in {APPROVED, CHANGES_REQUESTED}"),
            Branch(CANDIDATE, "standing_opinions", "review.submitted_at is None"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.4.2",
        (
            Branch(SELECTION, "_conflicting", "state.mergeable not in {'MERGEABLE', 'CONFLICTING', 'UNKNOWN'}"),
            Branch(SELECTION, "_ci_none", "state.rollup == 'SUCCESS'"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.4.3",
        (
            Branch(SELECTION, "_changes_requested", "state.reviews is None"),
            Branch(SELECTION, "_copilot_pending", "state.requested is None"),
            Branch(SELECTION, "_copilot_feedback", "state.threads is None"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.4.4",
        (
            Branch(SELECTION, "_copilot_pending", "None in state.requested"),
            Branch(SELECTION, "_copilot_feedback", "None in openers"),
        ),
        (EACH_REASON, LET_THROUGH),
    ),
    Sentence(
        "5.4.5", (Branch(SELECTION, "_too_large", "diff.files == state.changed_files"),), (EACH_REASON, LET_THROUGH)
    ),
    Sentence(
        "5.5.1",
        (
            Branch(SELECTION, "judge_brief", "finding is _Finding.NOT_READ"),
            Branch(SELECTION, "_of_state", "candidate.state is None"),
        ),
        (STAGES, NOT_READ_YET, FIRST_OF_ALL),
    ),
    Sentence(
        "5.5.2",
        (Branch(SELECTION, "_ORDER", "(SkipReason.TOO_LARGE, _too_many_files)", Inversion.LEFT_OUT),),
        (f"{TESTS}::test_no_diff_is_read_of_what_has_too_many_files_by_the_hosts_own_count",),
    ),
    Sentence(
        "5.6",
        (
            Branch(SELECTION, "count_reasons", "counted[reason]"),
            Branch(
                "autoswe.contracts.review.selection",
                "Selection._adds_up",
                "self.skip_counts != {reason: rows[reason] for reason in SkipReason}",
            ),
        ),
        (
            f"{TESTS}::test_every_reason_is_counted_and_one_that_caught_nothing_counts_zero",
            "tests/contracts/review/test_consistency.py::test_every_reason_has_a_count_even_where_it_is_zero",
        ),
    ),
    Sentence(
        "5.7.1",
        (Branch(SELECTION, "_repository", "(repository, candidate.number) not in policy.named"),),
        (EXCLUDED, f"{TESTS}::test_naming_a_pull_request_pushes_it_through_no_other_rule"),
    ),
    Sentence(
        "5.8.1",
        (
            Branch(SELECTION, "in_order_of_age", "pair[1].repository.casefold()", Inversion.LEFT_OUT),
            Branch(SELECTION, "in_order_of_age", "pair[1].number", Inversion.LEFT_OUT),
        ),
        (f"{TESTS}::test_the_longest_untouched_come_first_and_equal_ones_by_name_and_number",),
    ),
    Sentence(
        "5.8.2",
        (Branch(SELECTION, "effective_cap", "max_pull_requests or MATRIX_LIMIT"),),
        (f"{TESTS}::test_a_cap_of_zero_is_what_the_workflow_can_hold",),
    ),
    Sentence(
        "5.10",
        (
            Branch(
                "autoswe.contracts.review.selection",
                "SelectedPull._is_named_after_itself",
                "self.key != f'{self.repo_name}-{self.number}'",
            ),
            Branch(
                "autoswe.contracts.review.selection",
                "SelectedPull._is_named_after_itself",
                "self.repository.partition('/')[2] != self.repo_name",
            ),
        ),
        (
            "tests/contracts/review/test_consistency.py::test_a_file_that_contradicts_itself_is_refused_with_what_it_contradicts",
        ),
    ),
    Sentence(
        "5.11",
        (Branch(SIMULATION, "explain", "isinstance(judged, Skip)"),),
        (
            "tests/cli/review/test_commands.py::test_a_pull_request_that_nothing_catches_is_explained_as_selected",
            "tests/cli/review/test_commands.py::test_a_pull_request_is_explained_by_its_first_reason",
        ),
    ),
)
