"""§14 and §18: the files of a review and how strictly they are read, and the report."""

from tests.sentences.sentence import Branch, Inversion, Sentence

JSON = "autoswe.rules.text.strict_json"
READING = "autoswe.contracts.review.reading"
WORDS = "autoswe.contracts.review.words"
SELECTION = "autoswe.contracts.review.selection"
JUDGEMENT = "autoswe.contracts.review.judgement"
REPORT_FILE = "autoswe.contracts.review.report"
REPORT = "autoswe.rules.review.run.report"
PAGE = "autoswe.rules.review.run.report_page"

DOCUMENT_TESTS = "tests/contracts/review/test_documents.py"
CONSISTENCY_TESTS = "tests/contracts/review/test_consistency.py"
REFUSAL_TESTS = "tests/contracts/review/test_refusals.py"
JSON_TESTS = "tests/rules/text/test_strict_json.py"
REPORT_TESTS = "tests/rules/review/run/test_report.py"
CLI_TESTS = "tests/cli/review/test_commands.py"
UNKNOWN_KEY = f"{DOCUMENT_TESTS}::test_a_key_that_does_not_belong_is_refused_wherever_it_stands_and_by_the_schema"
GIVEN_TWICE = f"{DOCUMENT_TESTS}::test_a_key_that_is_given_twice_is_refused_wherever_it_stands"
MISSING_KEY = f"{DOCUMENT_TESTS}::test_no_schema_demands_what_the_reader_does_not"
NO_VALUES = f"{DOCUMENT_TESTS}::test_numbers_and_texts_that_are_no_values_are_refused_wherever_they_stand"
WRONG_TYPE = (
    f"{DOCUMENT_TESTS}::test_a_value_of_the_wrong_type_is_refused_with_its_place_or_is_one_that_the_schema_takes_too"
)
GOLDEN = f"{DOCUMENT_TESTS}::test_the_golden_file_is_read_and_written_as_it_is_and_agrees_with_the_schema"
PUBLISHED = f"{DOCUMENT_TESTS}::test_the_published_schema_is_the_models"
CONTRADICTS = f"{CONSISTENCY_TESTS}::test_a_file_that_contradicts_itself_is_refused_with_what_it_contradicts"
IN_ORDER = f"{CONSISTENCY_TESTS}::test_entries_and_results_stand_in_order_and_once"
NAMED_FAULT = f"{JSON_TESTS}::test_every_fault_is_named_with_its_place"
ROW = f"{REPORT_TESTS}::test_a_result_is_told_with_its_link_its_author_and_its_review_or_first_reason"
NOT_READ = f"{REPORT_TESTS}::test_a_result_that_cannot_be_read_stays_out_and_is_noted_and_hides_no_other"
NO_RESULT = f"{REPORT_TESTS}::test_an_entry_that_left_no_result_is_noted"
FOREIGN = f"{REPORT_TESTS}::test_a_result_about_another_pull_request_or_head_than_its_entry_is_left_out"

SENTENCES = (
    Sentence(
        "14.1",
        (),
        (PUBLISHED,),
        by_shape="A schema is made from the model that reads the file.",
    ),
    Sentence(
        "14.2",
        (
            Branch("autoswe.cli.review.commands", "check", "files is not None"),
            Branch("autoswe.cli.review.commands", "check", "tiers not in APPROVE_TIERS"),
        ),
        (
            f"{CLI_TESTS}::test_a_session_is_judged_by_what_it_left_and_by_the_diff",
            f"{CLI_TESTS}::test_sides_of_another_head_do_not_count_for_a_live_judgement",
            f"{CLI_TESTS}::test_only_the_tiers_that_are_enabled_are_approvable",
        ),
    ),
    Sentence(
        "14.3",
        (
            Branch("autoswe.rules.review.pulls.simulation", "differences", "was.get(subject) != now.get(subject)"),
            Branch("autoswe.cli.review.commands", "simulate", "not found"),
        ),
        (
            f"{CLI_TESTS}::test_a_recorded_run_that_today_would_be_the_same_has_no_difference",
            f"{CLI_TESTS}::test_a_recorded_run_is_told_with_what_would_be_selected_differently",
            "tests/rules/review/pulls/test_simulation.py::test_only_what_is_decided_differently_is_told_by_name",
        ),
    ),
    Sentence(
        "18.1",
        (
            Branch("autoswe.contracts.model", "Contract.model_config", "extra='forbid'", Inversion.LEFT_OUT),
            Branch(JSON, "_plain_object", "key in plain"),
            Branch(READING, "_FAULTS", "'missing'", Inversion.LEFT_OUT),
        ),
        (UNKNOWN_KEY, GIVEN_TWICE, MISSING_KEY, f"{REFUSAL_TESTS}::test_a_key_that_is_missing_is_told_so"),
    ),
    Sentence(
        "18.2",
        (Branch("autoswe.contracts.model", "Contract.model_config", "strict=True", Inversion.LEFT_OUT),),
        (WRONG_TYPE, f"{REFUSAL_TESTS}::test_a_number_that_is_written_as_a_text_is_no_number"),
    ),
    Sentence(
        "18.3",
        (
            Branch(JSON, "_read_float", "math.isfinite(number)"),
            Branch(JSON, "_read_integer", "abs(int(digits)) > LARGEST_INTEGER"),
            Branch(JSON, "_read_integer", "len(digits.lstrip('-')) > _MAX_DIGITS"),
        ),
        (NO_VALUES, NAMED_FAULT, f"{JSON_TESTS}::test_the_largest_integers_and_a_whole_surrogate_pair_are_sound"),
    ),
    Sentence(
        "18.4",
        (
            Branch(JSON, "_plain", "_refuse_surrogate(value, place)", Inversion.LEFT_OUT),
            Branch(JSON, "_plain_object", "_refuse_surrogate(key, inside)", Inversion.LEFT_OUT),
        ),
        (NO_VALUES, NAMED_FAULT),
    ),
    Sentence(
        "18.5",
        (Branch(JSON, "_plain", "depth > MAX_DEPTH"),),
        (f"{JSON_TESTS}::test_objects_and_lists_may_stand_inside_one_another_as_deep_as_allowed_and_no_deeper",),
    ),
    Sentence(
        "18.6",
        (Branch(JSON, "parse_strictly", "len(document) > max_bytes"),),
        (
            f"{JSON_TESTS}::test_a_document_may_have_as_many_bytes_as_allowed_and_no_more",
            f"{DOCUMENT_TESTS}::test_a_file_that_is_too_large_is_refused_before_it_is_read",
        ),
    ),
    Sentence(
        "18.7",
        (
            Branch(SELECTION, "Selection._adds_up", "places != sorted(set(places))"),
            Branch(REPORT_FILE, "ReportDocument._adds_up", "keys != sorted(set(keys))"),
            Branch(
                REPORT_FILE,
                "ReportDocument._adds_up",
                "(counted, self.counts.skipped) != (len(self.results), len(self.skipped))",
            ),
            Branch(JUDGEMENT, "Result._is_consistent", "self.review_url is None"),
            Branch(
                JUDGEMENT,
                "Result._is_consistent",
                "self.dry_run and (self.verdict is Verdict.APPROVED or self.review_url is not None)",
            ),
            Branch(JUDGEMENT, "Result._is_consistent", "(self.verdict is Verdict.FAILED) != (self.tier is None)"),
        ),
        (CONTRADICTS, IN_ORDER, GOLDEN),
    ),
    Sentence("18.8", (Branch(WORDS, "_utc", "moment.utcoffset() != timedelta(0)"),), (CONTRADICTS, GOLDEN)),
    Sentence(
        "18.9",
        (),
        (f"{REFUSAL_TESTS}::test_no_value_of_a_refused_file_is_quoted",),
        by_shape="A refusal is made of the place, and of what the model says should stand there.",
    ),
    Sentence(
        "18.1.1",
        (
            Branch(SELECTION, "Selection._adds_up", "list(self.approve_tiers) != sorted(set(self.approve_tiers))"),
            Branch(SELECTION, "Selection._adds_up", "places != sorted(set(places))"),
        ),
        (GOLDEN, CONTRADICTS, IN_ORDER),
    ),
    Sentence(
        "18.1.2",
        (
            Branch(
                SELECTION,
                "Selection._adds_up",
                "pull.repository.partition('/')[0].casefold() != self.org.casefold()",
            ),
        ),
        (CONTRADICTS, GOLDEN),
    ),
    Sentence(
        "18.2.1",
        (Branch(SELECTION, "MatrixEntry.of", "pull.head_repository"), Branch(SELECTION, "MatrixEntry.of", "pull.key")),
        (f"{CONSISTENCY_TESTS}::test_the_matrix_holds_the_selected_pull_requests",),
    ),
    Sentence(
        "18.3.1",
        (Branch("autoswe.contracts.review.ledger", "LedgerDocument.of", "vars(entry)"),),
        (f"{CONSISTENCY_TESTS}::test_a_ledger_is_written_as_it_was_read", GOLDEN),
    ),
    Sentence(
        "18.4.1",
        (
            Branch("autoswe.rules.review.verdict.agent_verdict", "_KEYS", "'injection_attempts'", Inversion.LEFT_OUT),
            Branch("autoswe.rules.review.verdict.agent_verdict", "_last_json_block", "language == 'json'"),
        ),
        ("tests/contracts/review/test_agent_verdict.py::test_the_golden_verdict_is_understood_in_a_final_message",),
    ),
    Sentence(
        "18.5.1",
        (
            Branch(
                JUDGEMENT,
                "Check._is_consistent",
                "self.agent_tier is None and (self.tier is not Tier.NEEDS_HUMAN or not self.reasons)",
            ),
            Branch(JUDGEMENT, "Check._is_consistent", "self.tier is Tier.NEEDS_HUMAN or self.vetoes"),
            Branch(JUDGEMENT, "Classification._agrees", "self.trivial and self.non_trivial_paths"),
        ),
        (CONTRADICTS, GOLDEN, f"{CLI_TESTS}::test_a_session_is_judged_by_what_it_left_and_by_the_diff"),
    ),
    Sentence(
        "18.6.1",
        (
            Branch(JUDGEMENT, "Result._is_consistent", "not self.reasons"),
            Branch(JUDGEMENT, "Result._is_consistent", "self.tier is Tier.NEEDS_HUMAN"),
            Branch(JUDGEMENT, "Result._is_consistent", "not self.dry_run"),
        ),
        (CONTRADICTS, GOLDEN),
    ),
    Sentence(
        "18.7.1",
        (
            Branch(REPORT_FILE, "ReportDocument.of", "outcome.count(verdict)"),
            Branch(REPORT_FILE, "ReportDocument.of", "len(selection.skipped)"),
            Branch(REPORT, "_total", "amount is not None"),
        ),
        (
            f"{CONSISTENCY_TESTS}::test_a_report_says_what_the_selection_and_the_results_came_to",
            f"{REPORT_TESTS}::test_spending_adds_up_what_the_sessions_told",
            f"{REPORT_TESTS}::test_results_are_sorted_by_key",
        ),
    ),
    Sentence(
        "18.7.2",
        (Branch(REPORT, "settle", "newest[result.key].run_attempt < result.run_attempt"),),
        (f"{REPORT_TESTS}::test_the_highest_attempt_of_an_entry_counts_in_whatever_order_they_come",),
    ),
    Sentence(
        "18.7.3",
        (Branch(PAGE, "_notes", "('The result could not be read of', outcome.unreadable)", Inversion.LEFT_OUT),),
        (NOT_READ,),
    ),
    Sentence(
        "18.7.4",
        (
            Branch(REPORT, "settle", "set(selected) - set(newest) - set(unreadable)"),
            Branch(PAGE, "_notes", "sessions"),
        ),
        (
            NO_RESULT,
            "tests/steps/review/test_report_run.py::test_a_run_without_sessions_reports_its_selection_and_claims_no_failure",
        ),
    ),
    Sentence(
        "18.7.5",
        (
            Branch(REPORT, "settle", "_is_about(result, selected.get(result.key))"),
            Branch(REPORT, "_is_about", "entry is not None"),
            Branch(REPORT, "_is_about", "result.head_sha", Inversion.LEFT_OUT),
        ),
        (FOREIGN,),
    ),
    Sentence(
        "18.7.6",
        (Branch(PAGE, "write_report", "page.dry_run"),),
        (f"{REPORT_TESTS}::test_the_heading_names_the_mode",),
    ),
    Sentence(
        "18.7.7",
        (
            Branch(PAGE, "write_report", "_counts(page, outcome, len(skipped))", Inversion.LEFT_OUT),
            Branch(PAGE, "write_report", "*_results(selected, outcome.results)", Inversion.LEFT_OUT),
            Branch(PAGE, "write_report", "*_skipped(skipped)", Inversion.LEFT_OUT),
            Branch(PAGE, "_result", "result.review_url is not None"),
            Branch(PAGE, "_skipped", "row.reason is reason"),
        ),
        (
            f"{REPORT_TESTS}::test_one_line_counts_everything",
            ROW,
            f"{REPORT_TESTS}::test_skipped_pull_requests_stand_under_their_reason",
            f"{REPORT_TESTS}::test_the_page_ends_with_what_was_spent",
        ),
    ),
    Sentence(
        "18.7.8",
        (
            Branch(PAGE, "_link", "_ADDRESS.fullmatch(address)"),
            Branch(PAGE, "_words", "neutralise_inline(text, limit)"),
        ),
        (f"{REPORT_TESTS}::test_no_text_of_anybody_makes_a_link_a_mention_or_markup", ROW),
    ),
)
