"""§8.2, second part: what is read of a changed file, and what the file is for."""

from tests.sentences.sentence import Branch, Inversion, Sentence

PATCHES = "autoswe.rules.review.diff.patches"
CLASSIFIER = "autoswe.rules.review.trivial.classifier"
VETOES = "autoswe.rules.review.vetoes.judgement"
STRUCTURE = "autoswe.rules.review.vetoes.structure"
TREE = "autoswe.rules.review.diff.yaml_tree"
KINDS = "autoswe.rules.review.diff.file_kinds"
DOCUMENTS = "autoswe.rules.review.trivial.documents"

TESTS = "tests/rules/review"
PATCH_TESTS = f"{TESTS}/diff/test_patches.py"
VETO_TESTS = f"{TESTS}/vetoes/test_judgement.py"
CLASSIFIER_TESTS = f"{TESTS}/trivial/test_classifier.py"
TREE_TESTS = f"{TESTS}/diff/test_yaml_tree.py"
KIND_TESTS = f"{TESTS}/diff/test_file_kinds.py"
MALFORMED = f"{PATCH_TESTS}::test_a_patch_that_is_missing_malformed_or_miscounted_is_unreadable"
CUT_ANYWHERE = f"{PATCH_TESTS}::test_a_patch_cut_off_anywhere_is_unreadable"
READ = f"{PATCH_TESTS}::test_added_and_removed_lines_are_given_as_they_are"
UNREAD_SIDES = f"{VETO_TESTS}::test_a_live_run_must_have_read_both_sides_of_what_has_a_structure"
BOTH_SIDES = f"{CLASSIFIER_TESTS}::test_a_live_run_must_know_both_sides"
READ_DIFFERENTLY = f"{TREE_TESTS}::test_what_readers_understand_differently_is_unreadable"
READ_BACK = f"{TREE_TESTS}::test_what_a_writer_wrote_is_read_back"
TOO_MUCH = f"{TREE_TESTS}::test_what_would_take_much_is_refused"
YAML_BOUNDS = f"{TREE_TESTS}::test_the_bounds_themselves_are_allowed"
BY_NAME = f"{KIND_TESTS}::test_documents_are_known_by_name"
LOOKS_LIKE_ONE = f"{KIND_TESTS}::test_what_only_looks_like_a_document_is_none"
INSTRUCTS = f"{KIND_TESTS}::test_what_instructs_an_agent_or_a_tool_is_code"
IMAGES = f"{KIND_TESTS}::test_images_under_docs_are_documentation"
DRAWING = f"{CLASSIFIER_TESTS}::test_an_image_under_docs_is_trivial_and_a_drawing_with_a_script_is_not"
CODE_TO_DOCUMENT = f"{CLASSIFIER_TESTS}::test_renaming_a_code_file_to_a_document_never_makes_it_trivial"

SENTENCES = (
    Sentence(
        "8.2.16",
        (
            Branch(PATCHES, "_read_hunk", "old_left or new_left or rows[place] == _NO_LINE_END"),
            Branch(PATCHES, "_read_hunks", "old_start < old_end"),
            Branch(PATCHES, "_read_hunks", "new_start < new_end"),
            Branch(PATCHES, "read_patch", "(marks.count('+'), marks.count('-')) != (file.additions, file.deletions)"),
            Branch(PATCHES, "read_patch", "file.patch_truncated"),
        ),
        (MALFORMED, CUT_ANYWHERE, READ, f"{PATCH_TESTS}::test_a_patch_that_the_host_cut_is_unreadable"),
    ),
    Sentence(
        "8.2.17",
        (Branch(PATCHES, "read_patch", "_OTHER_BREAKS.search(file.patch)"),),
        (
            f"{PATCH_TESTS}::test_a_line_that_another_reader_would_break_is_given_as_several",
            f"{PATCH_TESTS}::test_the_line_ends_of_windows_are_no_part_of_a_line",
        ),
    ),
    Sentence(
        "8.2.18",
        (
            Branch(VETOES, "find_vetoes", "_of_patch(file, patch)"),
            Branch(VETOES, "find_vetoes", "_of_sides(file, sides_required=sides_required, has_room=room >= 0)"),
            Branch(CLASSIFIER, "_moves_pins_only", "differs_in_pins_only(kind, base, head)"),
            Branch(
                CLASSIFIER,
                "_moves_pins_only",
                "only_moves_pins(kind, (run for hunk in patch.hunks for run in hunk.runs()))",
            ),
        ),
        (
            f"{VETO_TESTS}::test_a_patch_that_is_missing_or_cut_is_vetoed_in_fixed_words",
            f"{VETO_TESTS}::test_a_spelling_that_hides_from_a_diff_is_seen_in_the_whole_file",
            f"{CLASSIFIER_TESTS}::test_a_version_that_is_no_dependencys_is_seen_where_both_sides_are_read",
            f"{CLASSIFIER_TESTS}::test_a_manifest_whose_every_changed_line_moves_a_pin_is_trivial",
        ),
    ),
    Sentence(
        "8.2.19",
        (
            Branch(VETOES, "_of_sides", "sides_required and {kind, old_kind} & BOTH_SIDES_READ"),
            Branch(VETOES, "_of_sides", "side is None"),
            Branch(VETOES, "_of_sides", "side.text is None"),
            Branch(CLASSIFIER, "_is_trivial", "_is_read(file)"),
        ),
        (
            UNREAD_SIDES,
            BOTH_SIDES,
            f"{VETO_TESTS}::test_a_side_that_cannot_exist_need_not_be_read",
            f"{TESTS}/verdict/test_check.py::test_a_live_run_that_did_not_read_the_sides_approves_nothing_of_them",
        ),
    ),
    Sentence(
        "8.2.20",
        (
            Branch(CLASSIFIER, "_has_plain_modes", "file.has_base and not file.base"),
            Branch(CLASSIFIER, "_has_plain_modes", "file.has_head and not file.head"),
        ),
        (BOTH_SIDES,),
    ),
    Sentence(
        "8.2.21",
        (
            Branch(STRUCTURE, "find_in_structure", "isinstance(after, Unreadable)"),
            Branch(STRUCTURE, "find_in_structure", "isinstance(before, Unreadable)"),
        ),
        (f"{VETO_TESTS}::test_a_workflow_that_cannot_be_read_is_vetoed_on_either_side",),
    ),
    Sentence(
        "8.2.22",
        (
            Branch(TREE, "_Builder._content", "key in mapping"),
            Branch(TREE, "_Builder._content", "key == '<<'"),
            Branch(TREE, "_Builder._node", "getattr(event, 'tag', None) is not None"),
            Branch(TREE, "_Builder.document", "documents > 1"),
            Branch(TREE, "_Builder._repeated", "anchor not in self._anchored"),
            Branch(TREE, "read_yaml", "any((odd in text for odd in _ODD_BREAKS))"),
            Branch(TREE, "read_yaml", "'\\r' in text.replace('\\r\\n', '\\n')"),
        ),
        (READ_DIFFERENTLY, READ_BACK, f"{TREE_TESTS}::test_every_scalar_is_text_in_every_spelling"),
    ),
    Sentence(
        "8.2.23",
        (
            Branch(TREE, "read_yaml", "len(text) > MAX_CHARACTERS"),
            Branch(TREE, "_Builder._node", "depth > MAX_DEPTH"),
            Branch(TREE, "_Builder._count", "self._nodes > MAX_NODES"),
            Branch(TREE, "_Builder._repeated", "self._count(nodes)", Inversion.LEFT_OUT),
        ),
        (TOO_MUCH, YAML_BOUNDS),
    ),
    Sentence(
        "8.2.24",
        (Branch(VETOES, "find_vetoes", "room >= 0"), Branch(VETOES, "_of_sides", "not has_room")),
        (f"{VETO_TESTS}::test_more_workflows_than_can_be_judged_are_vetoed",),
    ),
    Sentence(
        "8.2.25",
        (),
        (
            f"{TESTS}/vetoes/test_judgement_size.py::test_one_line_of_the_largest_size_is_judged",
            f"{TESTS}/vetoes/test_judgement_size.py::test_commands_of_the_longest_length_that_is_followed_are_judged",
            f"{TESTS}/vetoes/test_judgement_size.py::test_lines_that_stand_ever_deeper_are_judged",
            f"{TESTS}/vetoes/test_judgement_size.py::test_the_largest_number_of_files_is_judged",
            f"{TESTS}/vetoes/test_judgement_size.py::test_keys_of_very_many_parts_are_refused_before_they_are_parsed",
        ),
        by_shape="Patterns are RE2's, or cannot give back what they took; a line is looked at a fixed number of times.",
    ),
    Sentence(
        "8.2.26",
        (
            Branch(KINDS, "_document_kind", "_DOCUMENT_ENDING.fullmatch(name)"),
            Branch(KINDS, "_document_kind", "_LICENCE.fullmatch(name)"),
            Branch(KINDS, "_document_kind", "_LICENCE_ENDING.fullmatch(name)"),
            Branch(KINDS, "_document_kind", "_IMAGE.fullmatch(path)"),
        ),
        (BY_NAME, IMAGES, LOOKS_LIKE_ONE),
    ),
    Sentence(
        "8.2.27",
        (
            Branch(KINDS, "_INSTRUCTION_NAMES", "'codeowners*'", Inversion.LEFT_OUT),
            Branch(KINDS, "_INSTRUCTION_NAMES", "'requirements*'", Inversion.LEFT_OUT),
            Branch(KINDS, "_INSTRUCTION_NAMES", "'agent*.md'", Inversion.LEFT_OUT),
            Branch(KINDS, "_INSTRUCTION_NAMES", "'claude*.md'", Inversion.LEFT_OUT),
            Branch(KINDS, "_INSTRUCTION_NAMES", "'skill*.md'", Inversion.LEFT_OUT),
            Branch(KINDS, "_instructs", "folder in _INSTRUCTION_FOLDERS"),
            Branch(KINDS, "file_kind", "not _instructs(path)"),
        ),
        (INSTRUCTS, LOOKS_LIKE_ONE),
    ),
    Sentence(
        "8.2.28",
        (
            Branch(KINDS, "_instructs", "folder.startswith('.')"),
            Branch(KINDS, "_instructs", "folder != '.github'"),
        ),
        (INSTRUCTS, BY_NAME),
    ),
    Sentence(
        "8.2.29",
        (
            Branch(DOCUMENTS, "is_document", "patch is None"),
            Branch(DOCUMENTS, "_is_active", "_ACTIVE_DRAWING.search(text)"),
        ),
        (DRAWING,),
    ),
    Sentence(
        "8.2.30",
        (
            Branch(KINDS, "_is_plain", "_PLAIN_PATH.fullmatch(path)"),
            Branch(KINDS, "_is_plain", "not {'', '.', '..'} & set(path.split('/'))"),
            Branch(KINDS, "file_kind", "_is_plain(path)"),
        ),
        (f"{KIND_TESTS}::test_a_path_with_odd_parts_or_characters_is_no_document", BY_NAME),
    ),
    Sentence(
        "8.2.31",
        (
            Branch(DOCUMENTS, "is_document", "side.mode not in {REGULAR, EXECUTABLE}"),
            Branch(DOCUMENTS, "is_document", "names_submodule(patch)"),
        ),
        (
            f"{VETO_TESTS}::test_links_and_submodules_are_vetoed_whatever_their_name",
            f"{VETO_TESTS}::test_a_submodule_is_known_by_its_patch_alone",
            f"{CLASSIFIER_TESTS}::test_documentation_is_trivial_whatever_its_patch",
        ),
    ),
    Sentence(
        "8.2.32",
        (
            Branch(DOCUMENTS, "is_document", "file_kind(file.path)", Inversion.LEFT_OUT),
            Branch(DOCUMENTS, "is_document", "file_kind(file.old_path)", Inversion.LEFT_OUT),
        ),
        (CODE_TO_DOCUMENT, f"{VETO_TESTS}::test_a_code_file_renamed_to_a_document_is_judged"),
    ),
    Sentence(
        "8.2.33",
        (
            Branch(KINDS, "file_kind", "_WORKFLOW.fullmatch(path)"),
            Branch(KINDS, "file_kind", "folded in _NAMED"),
            Branch(KINDS, "file_kind", "folded.startswith('requirements') and folded.endswith(('.txt', '.in'))"),
            Branch(KINDS, "file_kind", "folded.startswith('dockerfile')"),
        ),
        (f"{KIND_TESTS}::test_workflows_actions_and_manifests_are_known_whatever_else_fits",),
    ),
)
