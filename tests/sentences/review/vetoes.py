"""§8.2, fourth part: which changes no approval may carry."""

from tests.sentences.sentence import Branch, Inversion, Sentence

VETOES = "autoswe.rules.review.vetoes.judgement"
LINES = "autoswe.rules.review.vetoes.lines"
STRUCTURE = "autoswe.rules.review.vetoes.structure"
FACTS = "autoswe.rules.review.vetoes.actions_facts"
PLACES = "autoswe.rules.review.diff.yaml_lines"
EXPRESSIONS = "autoswe.rules.review.diff.expressions"
PINNED = "autoswe.rules.review.vetoes.pinned_actions"
PIPES = "autoswe.rules.review.vetoes.download_pipes"

TESTS = "tests/rules/review/vetoes/test_judgement.py"
HIDDEN_TESTS = "tests/rules/review/vetoes/test_hidden_spellings.py"
PIPE_TESTS = "tests/rules/review/vetoes/test_download_pipes.py"
GAINS = f"{TESTS}::test_a_workflow_that_gains_what_no_approval_may_carry_is_vetoed"
HARMLESS = f"{TESTS}::test_a_workflow_that_gains_nothing_is_not_vetoed"
OTHER_JOB = f"{TESTS}::test_what_moves_to_another_job_is_new_there"
UNPINNED_IN_OTHER_JOB = f"{TESTS}::test_an_unpinned_step_that_moves_to_another_job_is_new_there"
NOT_EXPLAINED = f"{TESTS}::test_a_spelling_that_a_diff_does_not_explain_is_vetoed_where_the_sides_were_not_read"
HIDDEN = f"{TESTS}::test_a_spelling_that_hides_from_a_diff_is_seen_in_the_whole_file"
UNSEEN_CONTENT = f"{TESTS}::test_a_rename_that_brings_unseen_content_into_place_is_vetoed"
INTERFACE = f"{TESTS}::test_an_action_that_loses_or_renames_an_input_or_output_is_vetoed"
SAME_INTERFACE = f"{TESTS}::test_an_action_whose_inputs_are_reordered_indented_anew_or_added_to_is_not_vetoed"
STATUS = f"{TESTS}::test_a_status_that_is_not_understood_is_unreadable"
RUN = f"{PIPE_TESTS}::test_a_download_that_is_run_is_found"
NOT_RUN = f"{PIPE_TESTS}::test_a_download_that_is_not_run_is_no_finding"

SENTENCES = (
    Sentence(
        "8.2.50",
        (
            Branch(VETOES, "_of_patch", "patch is None or file.status not in set(Status)"),
            Branch(VETOES, "_veto", "rule is VetoRule.UNREADABLE_PATCH"),
        ),
        (f"{TESTS}::test_a_patch_that_is_missing_or_cut_is_vetoed_in_fixed_words", STATUS),
    ),
    Sentence(
        "8.2.51",
        (
            Branch(VETOES, "_of_patch", "file.status == Status.COPIED"),
            Branch(VETOES, "_of_patch", "kind is not old_kind"),
        ),
        (UNSEEN_CONTENT, STATUS),
    ),
    Sentence(
        "8.2.52",
        (
            Branch(VETOES, "_of_sides", "SUBMODULE in modes"),
            Branch(VETOES, "_of_sides", "LINK in modes"),
            Branch(VETOES, "_of_patch", "names_submodule(patch)"),
        ),
        (
            f"{TESTS}::test_links_and_submodules_are_vetoed_whatever_their_name",
            f"{TESTS}::test_a_submodule_is_known_by_its_patch_alone",
        ),
    ),
    Sentence(
        "8.2.53",
        (
            Branch(LINES, "_events_and_grants", "_names_event(line, entries)"),
            Branch(LINES, "_names_event", "key == _TARGET"),
            Branch(LINES, "_names_event", "key == 'on' and _TARGET in value"),
            Branch(STRUCTURE, "compare_facts", "'pull_request_target' in after.triggers - before.triggers"),
        ),
        (GAINS, HARMLESS),
    ),
    Sentence(
        "8.2.54",
        (
            Branch(LINES, "_events_and_grants", "unquoted(line.text) == 'write-all'"),
            Branch(LINES, "_events_and_grants", "value == 'write'"),
            Branch(LINES, "_is_permission", "line.parent_key in {None, 'permissions'}"),
            Branch(STRUCTURE, "_permissions", "(now or frozenset()) - (was or frozenset())"),
            Branch(FACTS, "_write_grants", "value.strip().lower() not in {'read', 'none'}"),
        ),
        (GAINS, HARMLESS, f"{TESTS}::test_an_alias_is_followed_to_what_it_repeats"),
    ),
    Sentence(
        "8.2.55",
        (
            Branch(LINES, "_limits", "gone - kept"),
            Branch(STRUCTURE, "_permissions", "_is_locked(before, scope) and not _is_locked(after, scope)"),
        ),
        (GAINS, HARMLESS),
    ),
    Sentence(
        "8.2.56",
        (
            Branch(STRUCTURE, "_permissions", "was is not None and now is None"),
            Branch(STRUCTURE, "_effective", "own is None"),
        ),
        (
            f"{TESTS}::test_a_job_that_loses_its_own_narrower_permissions_gains_the_workflows",
            f"{TESTS}::test_a_workflow_that_loses_its_only_permissions_widens_to_the_defaults",
        ),
    ),
    Sentence(
        "8.2.57",
        (
            Branch(EXPRESSIONS, "secret_references", "reference not in _OWN_TOKEN"),
            Branch(EXPRESSIONS, "_inside", "token == _CONTEXT"),
            Branch(LINES, "_references", "key == 'secrets'"),
            Branch(STRUCTURE, "compare_facts", "after.secrets - before.secrets"),
            Branch(FACTS, "_secrets", "isinstance(passed, str) and passed.strip()"),
        ),
        (
            GAINS,
            HARMLESS,
            f"{HIDDEN_TESTS}::test_secrets_that_are_passed_on_under_an_escaped_key_are_seen_in_the_whole_file",
            f"{HIDDEN_TESTS}"
            "::test_secrets_that_are_handed_on_by_name_count_once_they_are_named_and_an_empty_hand_does_not",
        ),
    ),
    Sentence(
        "8.2.58",
        (
            Branch(PINNED, "is_unpinned", "not _PINNED.fullmatch(plain)"),
            Branch(PINNED, "_EXEMPT", "'./'", Inversion.LEFT_OUT),
            Branch(PINNED, "_EXEMPT", "'$/'", Inversion.LEFT_OUT),
            Branch(PINNED, "_EXEMPT", "'docker://'", Inversion.LEFT_OUT),
            Branch(LINES, "_references", "key == 'uses'"),
            Branch(STRUCTURE, "compare_facts", "is_unpinned(value)"),
        ),
        (GAINS, HARMLESS),
    ),
    Sentence(
        "8.2.59",
        (
            Branch(LINES, "_interface", "name not in kept"),
            Branch(STRUCTURE, "compare_facts", "before.interface - after.interface"),
            Branch(VETOES, "_of_patch", "old_kind is FileKind.ACTION"),
        ),
        (INTERFACE, SAME_INTERFACE, f"{TESTS}::test_an_action_that_moves_or_goes_takes_its_inputs_with_it"),
    ),
    Sentence(
        "8.2.60",
        (
            Branch(PIPES, "_Walk._runs", "group.downloading and self._fed and _runs_its_input(words)"),
            Branch(PIPES, "_Walk._runs", "group.downloading and group.runs"),
            Branch(PIPES, "_runs_its_input", "_is_program(name)"),
            Branch(PIPES, "_runs_its_input", "_is_shell(name)"),
            Branch(PIPES, "_name_and_rest", "name in _WRAPPERS"),
            Branch(PIPES, "_runs_group", "{name, last} & _EVALUATORS"),
            Branch(PIPES, "_runs_group", "opening == '<('"),
            Branch(STRUCTURE, "compare_facts", "after.downloads - before.downloads"),
        ),
        (RUN, NOT_RUN, HIDDEN, f"{TESTS}::test_what_only_looks_like_documentation_is_judged"),
    ),
    Sentence(
        "8.2.61",
        (
            Branch(PLACES, "_without_matches", "left[line.place] > 0"),
            Branch(PLACES, "_place", "(above[0][0] if above else indent) <= 1"),
        ),
        (
            HARMLESS,
            OTHER_JOB,
            UNPINNED_IN_OTHER_JOB,
            GAINS,
            f"{TESTS}::test_a_download_that_was_run_before_and_is_only_indented_is_no_veto",
        ),
    ),
    Sentence(
        "8.2.62",
        (Branch(PLACES, "_words", "'#' in text"), Branch(PLACES, "_code", "before.isspace()")),
        (HARMLESS, SAME_INTERFACE, NOT_RUN),
    ),
    Sentence(
        "8.2.63",
        (
            Branch(LINES, "find_in_lines", "not structure_is_read"),
            Branch(LINES, "_is_permission", "None", Inversion.LEFT_OUT),
        ),
        (
            NOT_EXPLAINED,
            GAINS,
            HARMLESS,
            f"{HIDDEN_TESTS}::test_a_grant_whose_place_the_diff_does_not_show_is_taken_for_a_permission",
        ),
    ),
)
