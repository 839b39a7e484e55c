"""§8.3: the live re-read, the one write, and the body of the approval."""

from tests.sentences.sentence import Branch, Inversion, Sentence

REREAD = "autoswe.rules.review.pulls.reread"
BODY = "autoswe.rules.review.verdict.approval_body"
LINE = "autoswe.rules.review.verdict.one_line"

REREAD_TESTS = "tests/rules/review/pulls/test_reread.py"
BODY_TESTS = "tests/rules/review/verdict/test_approval_body.py"
EACH_REASON = f"{REREAD_TESTS}::test_each_change_meanwhile_is_a_reason_of_its_own"
UNCHANGED = f"{REREAD_TESTS}::test_an_unchanged_pull_request_may_be_approved"
EVERY_REASON = f"{REREAD_TESTS}::test_every_reason_is_told_and_not_only_the_first"
OUR_COMMIT = f"{REREAD_TESTS}::test_a_head_that_holds_a_commit_of_ours_is_never_approved"
FIXED_WORDS = f"{BODY_TESTS}::test_the_body_is_the_fixed_words_around_the_summary"
FOLDED = f"{BODY_TESTS}::test_a_line_is_folded_and_holds_no_command_for_a_runner"
BOUNDED = f"{BODY_TESTS}::test_a_line_is_bounded_printable_and_stays_as_it_is_the_second_time"
INERT = f"{BODY_TESTS}::test_nothing_in_any_summary_acts"

SENTENCES = (
    Sentence("8.3.2", (Branch(REREAD, "judge_reread", "against"),), (EVERY_REASON, UNCHANGED)),
    Sentence(
        "8.3.3",
        tuple(
            Branch(REREAD, "REREAD_RULES", f"SkipReason.{rule}", Inversion.LEFT_OUT)
            for rule in (
                "CLOSED",
                "DRAFT",
                "CHANGES_REQUESTED",
                "ALREADY_APPROVED",
                "COPILOT_PENDING",
                "COPILOT_FEEDBACK",
            )
        ),
        (EACH_REASON,),
    ),
    Sentence(
        "8.3.4", (Branch(REREAD, "judge_reread", "state.head_sha != reviewed.head_sha"),), (EACH_REASON, UNCHANGED)
    ),
    Sentence(
        "8.3.5", (Branch(REREAD, "judge_reread", "live.base_ref != reviewed.base_ref"),), (EACH_REASON, UNCHANGED)
    ),
    Sentence("8.3.6", (Branch(REREAD, "judge_reread", "state.rollup != 'SUCCESS'"),), (EACH_REASON, UNCHANGED)),
    Sentence("8.3.7", (Branch(REREAD, "judge_reread", "live.by_us"),), (EACH_REASON, UNCHANGED)),
    Sentence("8.3.8", (Branch(REREAD, "judge_reread", "sha in our_commits"),), (OUR_COMMIT, UNCHANGED)),
    Sentence(
        "8.3.9",
        (
            Branch(REREAD, "judge_reread", "live.commits is None"),
            Branch(REREAD, "judge_reread", "state.head_sha not in live.commits"),
            Branch("autoswe.rules.review.pulls.selection", "caught_by_state", "finding is not _Finding.CLEAR"),
        ),
        (EACH_REASON, UNCHANGED),
    ),
    Sentence(
        "8.3.17",
        (
            Branch(BODY, "compose_approval", "OPENINGS[tier]", Inversion.LEFT_OUT),
            Branch(BODY, "compose_approval", "said", Inversion.LEFT_OUT),
            Branch(BODY, "compose_approval", "closing", Inversion.LEFT_OUT),
        ),
        (
            FIXED_WORDS,
            f"{BODY_TESTS}::test_each_approvable_tier_has_an_opening_of_its_own",
            f"{BODY_TESTS}::test_a_summary_that_shows_nothing_is_left_out",
        ),
    ),
    Sentence(
        "8.3.18",
        (Branch(LINE, "one_line", "unicodedata.category(char)[0] == 'C'"), Branch(LINE, "one_line", "limit")),
        (FOLDED, BOUNDED),
    ),
    Sentence(
        "8.3.19",
        (
            Branch(LINE, "one_line", "_COLONS.sub(lambda match: ' '.join(match[0]), line)"),
            Branch(LINE, "one_line", "'## ['"),
        ),
        (FOLDED, BOUNDED),
    ),
    Sentence(
        "8.3.20",
        (
            Branch(
                BODY,
                "compose_approval",
                "neutralise_inline(one_line(summary, MAX_SUMMARY_CHARACTERS), _MAX_ENCODED_CHARACTERS)",
            ),
            Branch("autoswe.rules.text.neutralise", "_inline_pieces", "char in _SET_OFF"),
            Branch("autoswe.rules.text.neutralise", "_unless_plain", "unicodedata.category(char)[0] in 'LMN'"),
        ),
        (INERT, FIXED_WORDS),
    ),
    Sentence(
        "8.3.21",
        (
            Branch(BODY, "compose_approval", "f'`{reviewer}`' if reviewer else UNNAMED_REVIEWER"),
            Branch(BODY, "compose_approval", "reviewer"),
        ),
        (FIXED_WORDS, f"{BODY_TESTS}::test_a_run_without_an_app_says_so_in_words"),
    ),
    Sentence(
        "8.3.22",
        (Branch(BODY, "compose_approval", "value is not None and not allowed.fullmatch(value)"),),
        (f"{BODY_TESTS}::test_a_record_of_another_form_is_refused", FIXED_WORDS),
    ),
)
