"""§9: what a run may be asked to do."""

from tests.sentences.sentence import Branch, Sentence

INPUTS = "autoswe.rules.review.run.inputs"
NAMES = "autoswe.rules.review.pulls.pull_names"

TESTS = "tests/rules/review/run/test_inputs.py"
NAME_TESTS = "tests/rules/review/pulls/test_pull_names.py"
BAD_VALUE = f"{TESTS}::test_a_bad_value_is_told_once_with_its_input_the_value_and_what_is_allowed"
ALLOWED = f"{TESTS}::test_each_input_takes_what_it_allows_up_to_its_bounds"
DEFAULTS = f"{TESTS}::test_the_defaults_are_a_dry_scan_of_the_whole_organisation"
EVERY_FORM = f"{NAME_TESTS}::test_every_form_names_the_same_pull_request"
WRONG_NAME = f"{NAME_TESTS}::test_what_names_no_pull_request_of_the_organisation_is_wrong"
COUNTS_ONCE = f"{NAME_TESTS}::test_a_pull_request_counts_once_in_whatever_form_and_case"


def default(field: str, value: str) -> Branch:
    """Name an input's default."""
    return Branch(INPUTS, f"ReviewInputs.{field}", value)


SENTENCES = (
    Sentence(
        "9.1.1",
        (
            Branch(INPUTS, "BadInput.sentence", "f'{self.name} cannot be {self.value}: it must be {self.allowed}'"),
            Branch(INPUTS, "_shown", "len(shown) <= _MAX_SHOWN"),
        ),
        (BAD_VALUE, f"{TESTS}::test_whatever_is_given_is_taken_or_told_in_printable_words"),
    ),
    Sentence(
        "9.1.3",
        (Branch(INPUTS, "read_inputs", "name not in _READERS"),),
        (f"{TESTS}::test_an_input_that_does_not_exist_is_told_with_those_that_do", ALLOWED),
    ),
    Sentence(
        "9.1.4",
        (
            default("dry_run", "True"),
            default("max_pull_requests", "20"),
            default("max_concurrent_agents", "5"),
            default("max_runtime_minutes", "20"),
            default("reassess", "False"),
            default("skip_agent", "False"),
            Branch(INPUTS, "_whole", "least <= value <= most"),
            Branch(INPUTS, "_whole", "isinstance(value, bool)"),
            Branch(INPUTS, "_truth", "isinstance(value, bool)"),
            Branch(INPUTS, "_tiers", "value in APPROVE_TIERS"),
            Branch(INPUTS, "_model", "_MODEL.fullmatch(identifier)"),
            Branch(INPUTS, "_text", "pattern.fullmatch(value)"),
            Branch(INPUTS, "_names", "names is None"),
            Branch(INPUTS, "_bad_pull_requests", "len(named.pulls) > MATRIX_LIMIT"),
        ),
        (
            DEFAULTS,
            ALLOWED,
            BAD_VALUE,
            f"{TESTS}::test_at_most_as_many_pull_requests_are_named_as_a_run_can_hold",
        ),
    ),
    Sentence(
        "9.1.5",
        (
            Branch(INPUTS, "read_inputs", "read.get('dry_run') is False"),
            Branch(INPUTS, "read_inputs", "not has_app"),
        ),
        (f"{TESTS}::test_a_live_run_is_refused_where_no_review_app_is_configured", ALLOWED),
    ),
    Sentence(
        "9.1.6",
        (Branch(INPUTS, "ReviewInputs.read_scope", "tuple(named.values()) or self.repositories"),),
        (f"{TESTS}::test_the_token_for_reading_is_for_the_named_pull_requests_else_the_named_repositories",),
    ),
    Sentence(
        "9.1.7",
        (Branch(INPUTS, "ReviewInputs.policy", "self.exclude_repos is None"),),
        (f"{TESTS}::test_the_exclusions_of_a_run_replace_those_of_the_installation",),
    ),
    Sentence(
        "9.2.2",
        (Branch(INPUTS, "_model", "MODELS.get(value, value)"),),
        (f"{TESTS}::test_the_models_that_are_offered_are_called_as_the_program_calls_them",),
    ),
    Sentence(
        "9.4.1",
        (
            Branch(NAMES, "_read", "named is None"),
            Branch(NAMES, "_read", "address['name'] if address is not None else word"),
            Branch(NAMES, "_read", "number <= LARGEST_NUMBER"),
        ),
        (EVERY_FORM, WRONG_NAME, f"{NAME_TESTS}::test_commas_and_white_space_separate_and_the_order_stays"),
    ),
    Sentence(
        "9.4.2",
        (Branch(NAMES, "read_pull_names", "pull.repo_name.casefold()"),),
        (COUNTS_ONCE,),
    ),
    Sentence(
        "9.4.3",
        (
            Branch(NAMES, "_read", "(named['owner'] or org).casefold() != org.casefold()"),
            Branch(NAMES, "_read", "address['host'].casefold() != host.casefold()"),
        ),
        (
            WRONG_NAME,
            EVERY_FORM,
            f"{NAME_TESTS}::test_the_host_of_an_address_is_the_one_that_the_installation_works_on",
        ),
    ),
)
