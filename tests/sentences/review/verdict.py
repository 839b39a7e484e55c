"""§8.2, first part: what a session's verdict is, and what the check makes of it."""

from tests.sentences.sentence import Branch, Inversion, Sentence

VERDICT = "autoswe.rules.review.verdict.agent_verdict"
JSON = "autoswe.rules.text.strict_json"
CHECK = "autoswe.rules.review.verdict.check"

VERDICT_TESTS = "tests/rules/review/verdict/test_agent_verdict.py"
JSON_TESTS = "tests/rules/text/test_strict_json.py"
CHECK_TESTS = "tests/rules/review/verdict/test_check.py"
LAST_BLOCK = f"{VERDICT_TESTS}::test_the_last_fenced_json_block_is_the_verdict"
NO_BLOCK = f"{VERDICT_TESTS}::test_a_summary_without_a_readable_block_has_no_verdict"
OTHER_SHAPE = f"{VERDICT_TESTS}::test_a_verdict_of_another_shape_or_target_is_refused"
CUT = f"{VERDICT_TESTS}::test_what_is_too_long_or_too_much_is_cut"
NO_VERDICT = f"{CHECK_TESTS}::test_without_a_verdict_a_person_is_needed_and_the_diff_is_judged_all_the_same"
BORNE_OUT = f"{CHECK_TESTS}::test_a_trivial_claim_that_the_diff_bears_out_is_approvable"
LOW_RISK = f"{CHECK_TESTS}::test_a_low_risk_claim_needs_no_corroboration"
ADDED_LINE = f"{CHECK_TESTS}::test_adding_a_line_to_a_diff_never_removes_a_veto"
ADDED_FILE = f"{CHECK_TESTS}::test_adding_a_file_to_a_diff_never_removes_a_veto_nor_makes_it_trivial"


def fault(scope: str, expression: str) -> Branch:
    """Name what decides that a document has a fault."""
    return Branch(JSON, scope, expression)


SENTENCES = (
    Sentence(
        "8.2.1",
        (
            Branch(VERDICT, "_last_json_block", "language == 'json'"),
            Branch(VERDICT, "_last_json_block", "match[2].startswith(fence)"),
            Branch(VERDICT, "_last_json_block", "match[2].startswith('`') and '`' in match[3]"),
        ),
        (LAST_BLOCK, NO_BLOCK),
    ),
    Sentence(
        "8.2.2",
        (Branch(VERDICT, "_last_json_block", "fence"), Branch(VERDICT, "_last_json_block", "last is None")),
        (NO_BLOCK, LAST_BLOCK),
    ),
    Sentence(
        "8.2.3",
        (
            fault("_plain_object", "key in plain"),
            fault("_read_float", "math.isfinite(number)"),
            fault("_read_integer", "abs(int(digits)) > LARGEST_INTEGER"),
            Branch(JSON, "_plain", "_refuse_surrogate(value, place)", Inversion.LEFT_OUT),
            Branch(VERDICT, "read_verdict", "isinstance(parsed, Malformed)"),
        ),
        (NO_BLOCK, f"{JSON_TESTS}::test_every_fault_is_named_with_its_place"),
    ),
    Sentence(
        "8.2.4",
        (
            Branch(VERDICT, "_verdict", "document.keys() != _KEYS"),
            Branch(VERDICT, "_verdict", "isinstance(document, dict)"),
            Branch(VERDICT, "_verdict", "type(document['schema']) is not int"),
            Branch(VERDICT, "_verdict", "document['schema'] != 1"),
            Branch(VERDICT, "_findings", "finding.keys() != {'area', 'note'}"),
            Branch(VERDICT, "_list", "isinstance(value, list)"),
            Branch(VERDICT, "_text", "isinstance(value, str)"),
        ),
        (OTHER_SHAPE, NO_BLOCK, LAST_BLOCK, f"{VERDICT_TESTS}::test_every_key_must_be_there"),
    ),
    Sentence(
        "8.2.5",
        (
            Branch(VERDICT, "_verdict", "document[key] != expected"),
            Branch(VERDICT, "_verdict", "('repository', 'repository', target.repository)", Inversion.LEFT_OUT),
            Branch(VERDICT, "_verdict", "('pull_request', 'pull request', target.number)", Inversion.LEFT_OUT),
            Branch(VERDICT, "_verdict", "('head_sha', 'head', target.head_sha)", Inversion.LEFT_OUT),
        ),
        (OTHER_SHAPE,),
    ),
    Sentence(
        "8.2.6",
        (
            Branch("autoswe.rules.review.verdict.one_line", "one_line", "limit"),
            Branch(VERDICT, "MAX_FINDINGS", "20"),
            Branch(VERDICT, "MAX_INJECTION_ATTEMPTS", "20"),
            Branch(VERDICT, "MAX_NOTE_CHARACTERS", "400"),
        ),
        (CUT,),
    ),
    Sentence("8.2.7", (Branch(VERDICT, "_verdict", "not summary"),), (OTHER_SHAPE, LAST_BLOCK)),
    Sentence(
        "8.2.8",
        (Branch(VERDICT, "_tier", "value not in set(Tier)"), Branch(VERDICT, "_findings", "area not in set(Area)")),
        (OTHER_SHAPE, LAST_BLOCK),
    ),
    Sentence(
        "8.2.9",
        (
            Branch(CHECK, "check_session", "isinstance(verdict, NoVerdict)"),
            Branch(CHECK, "check_session", "isinstance(session_summary, Missing)"),
        ),
        (NO_VERDICT, BORNE_OUT),
    ),
    Sentence(
        "8.2.10",
        (
            Branch(CHECK, "_reasons_against", "claim is Tier.TRIVIAL"),
            Branch(CHECK, "_reasons_against", "classifier.trivial"),
            Branch(CHECK, "check_session", "Tier.NEEDS_HUMAN if against else verdict.tier"),
        ),
        (f"{CHECK_TESTS}::test_a_trivial_claim_on_code_drops_to_a_person_with_the_paths", BORNE_OUT, LOW_RISK),
    ),
    Sentence(
        "8.2.11",
        (
            Branch(CHECK, "_reasons_against", "[veto.reason for veto in vetoes]"),
            Branch(CHECK, "check_session", "against or ([] if approvable else [TIER_NOT_ENABLED])"),
        ),
        (f"{CHECK_TESTS}::test_a_veto_stands_against_every_tier", BORNE_OUT),
    ),
    Sentence(
        "8.2.12",
        (
            Branch(CHECK, "check_session", "tier in set(approve_tiers)"),
            Branch(CHECK, "check_session", "[] if approvable else [TIER_NOT_ENABLED]"),
        ),
        (
            f"{CHECK_TESTS}::test_a_tier_that_is_not_enabled_keeps_its_name_and_is_not_approvable",
            f"{CHECK_TESTS}::test_nothing_is_approvable_against_a_veto_or_outside_the_enabled_tiers",
            BORNE_OUT,
        ),
    ),
    Sentence(
        "8.2.13",
        (Branch(CHECK, "check_session", "tier in APPROVABLE"),),
        (f"{CHECK_TESTS}::test_needs_human_cannot_be_enabled", BORNE_OUT),
    ),
    Sentence(
        "8.2.14",
        (
            Branch(CHECK, "check_session", "classify_trivial(files, sides_required=sides_required)"),
            Branch(CHECK, "check_session", "find_vetoes(files, sides_required=sides_required)"),
        ),
        (
            NO_VERDICT,
            f"{CHECK_TESTS}::test_a_reviewer_who_asks_for_a_person_gets_one_and_the_vetoes_are_told",
        ),
    ),
    Sentence(
        "8.2.15",
        (
            Branch("autoswe.rules.review.diff.yaml_lines", "_without_matches", "left[line.place] > 0"),
            Branch("autoswe.rules.review.vetoes.judgement", "_new_downloads", "sign == '+'"),
        ),
        (
            ADDED_LINE,
            ADDED_FILE,
            "tests/rules/review/vetoes/test_judgement.py::test_a_new_workflow_is_judged_whole",
            "tests/rules/review/vetoes/test_judgement.py::test_what_only_looks_like_documentation_is_judged",
            "tests/rules/review/vetoes/test_download_pipes.py::test_lines_around_never_hide_a_plain_download",
        ),
    ),
)
