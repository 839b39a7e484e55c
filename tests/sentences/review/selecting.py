"""§4 to §7, where steps decide: what selection keeps, what a session is handed, and what the report exports."""

from tests.sentences.sentence import Branch, Inversion, Sentence

SELECT = "autoswe.steps.review.select_pulls"
SCAN = "autoswe.github.review.scan"
ENTRY = "autoswe.steps.review.selected_entry"
PREPARE = "autoswe.steps.review.prepare_review"
SOURCE = "autoswe.steps.source"
REPORT = "autoswe.steps.review.report_run"
TOKENS = "autoswe.github.transport.tokens"

SELECT_TESTS = "tests/steps/review/test_select_pulls.py"
PREPARE_TESTS = "tests/steps/review/test_prepare_review.py"
REPORT_TESTS = "tests/steps/review/test_report_run.py"
WORKFLOW_TESTS = "tests/infra/embedded_aws/test_scheduled_review_workflow.py"
SCAN_TESTS = "tests/adapters/github/review/test_scan.py"
CHANGES_TESTS = "tests/adapters/github/review/test_changes.py"
TOKEN_TESTS = "tests/adapters/github/transport/test_tokens.py"
EVIDENCE = "tests/steps/review/test_evidence.py::test_selection_and_matrix_are_kept_as_the_references_say"
KEPT_WHOLE = f"{SELECT_TESTS}::TestKeeping::test_a_selected_pull_is_kept_whole_and_by_itself"
CUT = f"{SELECT_TESTS}::TestKeeping::test_patches_bodies_and_messages_are_cut_and_said_to_be"
WHOLE_SCAN = (
    f"{SELECT_TESTS}::TestTargets::test_a_scan_asks_for_the_whole_installation_and_named_repositories_for_theirs"
)
NAMED = f"{SELECT_TESTS}::TestTargets::test_named_pulls_bypass_the_listing_and_the_exclusions_and_nothing_else"
EXPORTED = f"{REPORT_TESTS}::test_results_are_told_remembered_and_exported"
NO_RESULT = f"{REPORT_TESTS}::test_an_entry_without_a_result_has_failed_at_what_failed_and_is_not_remembered"
GIVEN = f"{PREPARE_TESTS}::test_the_session_is_given_its_entry_the_heads_source_and_what_the_run_asks_for"
KEYS = f"{PREPARE_TESTS}::test_the_session_may_touch_exactly_the_keys_of_its_entry_and_attempt"

SENTENCES = (
    Sentence(
        "4.1",
        (),
        (f"{WORKFLOW_TESTS}::test_every_entry_is_prepared_reviewed_and_applied_and_the_run_is_reported",),
        by_shape="The workflow's definition names the states in this order.",
    ),
    Sentence(
        "4.2",
        (
            Branch(
                SELECT,
                "_Selecting._keep_selection",
                "self._put('matrix.json', Matrix.of(selection).dump())",
                Inversion.LEFT_OUT,
            ),
            Branch(
                SELECT,
                "_Selecting._keep_selection",
                "self._put('candidates.json', Candidates(schema=1, policy=policy, candidates=scan.candidates).dump())",
                Inversion.LEFT_OUT,
            ),
        ),
        (
            EVIDENCE,
            f"{SELECT_TESTS}::TestKeeping::test_what_it_decided_on_is_kept_so_that_todays_rules_decide_the_same",
        ),
    ),
    Sentence(
        "4.4",
        (),
        (
            f"{WORKFLOW_TESTS}::test_a_session_that_fails_is_applied_with_its_error",
            f"{WORKFLOW_TESTS}::test_an_entrys_failure_costs_that_entry_alone_and_is_named",
        ),
        by_shape="The workflow's definition catches what each state of an entry raises.",
    ),
    Sentence(
        "4.5",
        (
            Branch(REPORT, "_Reporting._results", "entry.key == pull.key"),
            Branch(REPORT, "_Reporting._results", "attempt == self.run.attempt"),
            Branch(REPORT, "_Reporting._results", "self.ports.artifacts.put(key, failed.dump())", Inversion.LEFT_OUT),
        ),
        (NO_RESULT, f"{REPORT_TESTS}::test_of_two_attempts_the_later_result_counts_and_a_settled_one_is_kept"),
    ),
    Sentence(
        "4.6",
        (
            Branch(REPORT, "_Reporting._put", "content"),
            Branch(REPORT, "_Reporting.report", "self._put('report.json', document.dump())", Inversion.LEFT_OUT),
        ),
        (EXPORTED,),
    ),
    Sentence(
        "4.3.1",
        (
            Branch(SELECT, "_Selecting._list", "f'{self.run.org}/{name}'"),
            Branch(SCAN, "Scan.repositories", "one.full_name.partition('/')[0].casefold() != org.casefold()"),
            Branch(TOKENS, "StepToken._refuse_more_than_asked", "not all(map(_names, asked, granted))"),
        ),
        (
            WHOLE_SCAN,
            f"{SCAN_TESTS}::test_an_installation_of_another_account_is_forbidden",
            f"{SCAN_TESTS}::test_every_page_of_repositories_is_listed",
            f"{TOKEN_TESTS}::test_rereading_and_approving_take_one_token_for_each_repository",
            f"{TOKEN_TESTS}::test_a_token_other_than_asked_for_is_never_used",
        ),
    ),
    Sentence(
        "5.1",
        (
            Branch(SELECT, "_Selecting._list", "self.inputs.pull_requests"),
            Branch(SELECT, "_Selecting._list", "self.inputs.repositories"),
        ),
        (
            WHOLE_SCAN,
            NAMED,
            f"{SELECT_TESTS}::TestTargets::test_an_installation_without_repositories_selects_nothing",
        ),
    ),
    Sentence(
        "5.7.2",
        (Branch(SCAN, "Scan._named", "_place(home.full_name, pull.number) != _place(repository, number)"),),
        (
            f"{SELECT_TESTS}::TestTargets::test_a_named_pull_that_cannot_be_read_fails_the_run",
            f"{SCAN_TESTS}::test_a_named_pull_request_that_cannot_be_read_is_gone",
            f"{SCAN_TESTS}::test_named_pull_requests_are_read_one_by_one",
            f"{SCAN_TESTS}::test_another_pull_request_than_the_named_one_is_partial",
        ),
    ),
    Sentence(
        "5.7.3",
        (
            Branch(SCAN, "Scan._all_of", "whole is not None"),
            Branch(
                SCAN,
                "Scan._listed",
                'check_count("the installation\'s repositories", len(listed), max(page.total_count for page in pages))',
                Inversion.LEFT_OUT,
            ),
        ),
        (
            f"{SELECT_TESTS}::TestTargets::test_a_listing_without_its_end_fails_the_run",
            f"{SCAN_TESTS}::test_a_list_that_never_ends_is_partial",
            f"{SCAN_TESTS}::test_fewer_repositories_than_the_host_counts_are_partial",
            f"{SCAN_TESTS}::test_a_repository_with_more_than_a_page_of_pull_requests_is_listed_to_its_end",
        ),
    ),
    Sentence(
        "5.9",
        (
            Branch(ENTRY, "select_entry", "changes.diff.head_sha"),
            Branch(ENTRY, "select_entry", "map(_file, changes.files)"),
        ),
        (KEPT_WHOLE,),
    ),
    Sentence(
        "5.9.1",
        (
            Branch(ENTRY, "_file", "patch != file.patch"),
            Branch(ENTRY, "_file", "cut(file.patch, MAX_PATCH_BYTES)"),
        ),
        (CUT, KEPT_WHOLE),
    ),
    Sentence(
        "5.9.2",
        (
            Branch(ENTRY, "select_entry", "cut(details.body, MAX_BODY_BYTES)"),
            Branch(ENTRY, "select_entry", "cut(row.message, MAX_MESSAGE_BYTES)"),
            Branch(ENTRY, "cut", "max_bytes"),
        ),
        (CUT, f"{SELECT_TESTS}::TestKeeping::test_cutting_leaves_no_part_of_a_character"),
    ),
    Sentence(
        "5.9.3",
        (Branch(ENTRY, "select_entry", "changes.diff.patch_bytes"),),
        (CUT, f"{CHANGES_TESTS}::test_changed_files_come_whole_with_the_bytes_of_their_patches"),
    ),
    Sentence(
        "6.6",
        (
            Branch(SELECT, "_Selecting.select", "forgotten=remembered.forgotten", Inversion.LEFT_OUT),
            Branch(REPORT, "_Reporting.report", "forgotten=self.selected.forgotten", Inversion.LEFT_OUT),
        ),
        (
            f"{SELECT_TESTS}::TestLedger::test_the_merged_memory_is_kept_and_what_was_forgotten_is_told",
            f"{REPORT_TESTS}::test_what_the_ledger_forgot_is_noted",
        ),
    ),
    Sentence(
        "6.7",
        (
            Branch(
                REPORT,
                "_Reporting.report",
                "self._put('ledger.json', LedgerDocument.of(ledger.values()).dump())",
                Inversion.LEFT_OUT,
            ),
        ),
        (EXPORTED,),
    ),
    Sentence(
        "7.1.1",
        (Branch(PREPARE, "prepare_review", "packet.key", Inversion.LEFT_OUT),),
        (KEYS, GIVEN),
    ),
    Sentence(
        "7.1.2",
        (Branch(SOURCE, "_files", "entry is not None and git_blob_id(content) == entry.sha"),),
        (
            "tests/steps/feedback/test_gathered_artifacts.py::test_the_source_is_the_tree_even_where_the_archive_is_not",
            GIVEN,
        ),
    ),
    Sentence(
        "7.2.4",
        (Branch(PREPARE, "prepare_review", "inputs.max_runtime_minutes * 60"),),
        (GIVEN,),
    ),
)
