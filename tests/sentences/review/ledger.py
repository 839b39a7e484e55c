"""§6: the memory from run to run."""

from tests.sentences.sentence import Branch, Inversion, Sentence

LEDGER = "autoswe.rules.review.run.ledger"
TESTS = "tests/rules/review/run/test_ledger.py"
SELECTION_TESTS = "tests/rules/review/pulls/test_selection.py"
NEWEST = f"{TESTS}::test_the_newest_assessment_of_a_head_is_kept_wherever_it_stands"
ADDED = f"{TESTS}::test_a_run_adds_what_it_decided_and_leaves_failures_to_the_next_run"
HONOURED = f"{TESTS}::test_a_live_run_honours_live_assessments_only_and_a_dry_run_all"
SAME_ONE = f"{TESTS}::test_of_equally_new_assessments_the_same_one_is_kept_whatever_the_order"
COMMUTATIVE = f"{TESTS}::test_merging_is_commutative_and_gives_one_order"

SENTENCES = (
    Sentence(
        "6.1",
        (Branch(LEDGER, "Assessment.key", "self.head_sha"),),
        (
            f"{TESTS}::test_another_head_of_the_same_pull_request_is_not_assessed",
            f"{SELECTION_TESTS}::test_a_head_that_the_ledger_holds_is_not_assessed_again",
            f"{TESTS}::test_a_merged_ledger_holds_each_young_enough_head_once_and_nothing_else",
            "tests/contracts/review/test_consistency.py::test_a_ledger_is_written_as_it_was_read",
        ),
    ),
    Sentence(
        "6.2",
        (
            Branch(LEDGER, "assess", "result.verdict is not Verdict.FAILED"),
            Branch(LEDGER, "assess", "result.tier is not None"),
        ),
        (ADDED,),
    ),
    Sentence(
        "6.3",
        (
            Branch(LEDGER, "merge", "_age(entry) > _age(kept)"),
            Branch(LEDGER, "_age", "entry.run_id", Inversion.LEFT_OUT),
            Branch(LEDGER, "_age", "entry.verdict", Inversion.LEFT_OUT),
        ),
        (
            NEWEST,
            SAME_ONE,
            COMMUTATIVE,
            f"{TESTS}::test_merging_is_associative",
            f"{TESTS}::test_merging_is_idempotent",
        ),
    ),
    Sentence(
        "6.3.1",
        (Branch(LEDGER, "merge", "entry.assessed_at >= now - RETENTION"),),
        (f"{TESTS}::test_an_assessment_is_kept_for_ninety_days",),
    ),
    Sentence(
        "6.3.2",
        (Branch(LEDGER, "_age", "not entry.dry_run"),),
        (f"{TESTS}::test_of_equally_new_assessments_a_live_one_is_kept",),
    ),
    Sentence(
        "6.4",
        (Branch(LEDGER, "is_assessed", "dry_run"), Branch(LEDGER, "is_assessed", "not entry.dry_run")),
        (HONOURED, f"{SELECTION_TESTS}::test_a_live_run_ignores_what_a_dry_run_assessed_and_a_dry_run_honours_both"),
    ),
    Sentence(
        "6.5",
        (Branch("autoswe.rules.review.pulls.selection", "_already_assessed", "policy.reassess"),),
        (
            f"{SELECTION_TESTS}::test_reassess_looks_again_at_heads_that_the_ledger_holds_and_at_nothing_else",
            f"{SELECTION_TESTS}::test_a_head_that_the_ledger_holds_is_not_assessed_again",
        ),
    ),
)
