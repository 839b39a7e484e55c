"""§8.2, third part: which changes are trivial."""

from tests.sentences.sentence import Branch, Inversion, Sentence

CLASSIFIER = "autoswe.rules.review.trivial.classifier"
LOCKFILES = "autoswe.rules.review.trivial.lockfiles"
MANIFESTS = "autoswe.rules.review.trivial.manifests"
PINS = "autoswe.rules.review.trivial.pins"

CLASSIFIER_TESTS = "tests/rules/review/trivial/test_classifier.py"
LOCKFILE_TESTS = "tests/rules/review/trivial/test_lockfiles.py"
KIND_TESTS = "tests/rules/review/diff/test_file_kinds.py"
DOCUMENTATION = f"{CLASSIFIER_TESTS}::test_documentation_is_trivial_whatever_its_patch"
MOVED_PIN = f"{CLASSIFIER_TESTS}::test_a_manifest_whose_every_changed_line_moves_a_pin_is_trivial"
RIDES_ALONG = f"{CLASSIFIER_TESTS}::test_a_manifest_where_anything_else_rides_along_is_not_trivial"
OTHER_PLACE = f"{CLASSIFIER_TESTS}::test_a_pin_that_moves_to_another_place_is_no_pin"
OTHER_VERSION = f"{CLASSIFIER_TESTS}::test_a_version_that_is_no_dependencys_is_seen_where_both_sides_are_read"
MODES = f"{CLASSIFIER_TESTS}::test_a_file_that_is_not_regular_or_changes_its_mode_is_not_trivial"
NEW_SOURCE = f"{LOCKFILE_TESTS}::test_a_new_source_is_not_trivial"
KNOWN_SOURCES = f"{LOCKFILE_TESTS}::test_new_versions_from_known_sources_are_trivial"
NOT_GONE = f"{LOCKFILE_TESTS}::test_a_lockfile_may_be_new_but_not_go_or_come_from_elsewhere"
UNREADABLE_LOCK = f"{LOCKFILE_TESTS}::test_a_lockfile_whose_patch_is_missing_or_cut_is_not_trivial"
BY_NAME = f"{KIND_TESTS}::test_lockfiles_are_known_by_name"
MANIFEST_KINDS = (
    "REQUIREMENTS",
    "PYPROJECT",
    "CARGO_TOML",
    "PACKAGE_JSON",
    "GO_MOD",
    "PRE_COMMIT",
    "WORKFLOW",
    "ACTION",
)

SENTENCES = (
    Sentence(
        "8.2.34",
        (
            Branch(CLASSIFIER, "classify_trivial", "bool(files)"),
            Branch(CLASSIFIER, "classify_trivial", "not paths"),
        ),
        (
            f"{CLASSIFIER_TESTS}::test_all_files_must_be_trivial_and_the_others_are_named",
            f"{CLASSIFIER_TESTS}::test_no_files_are_no_trivial_change",
        ),
    ),
    Sentence("8.2.35", (Branch(CLASSIFIER, "_is_trivial", "is_document(file, patch)"),), (DOCUMENTATION,)),
    Sentence(
        "8.2.36",
        (
            Branch("autoswe.rules.review.diff.file_kinds", "file_kind", "name in _LOCKFILES or name.endswith('.lock')"),
            Branch(CLASSIFIER, "_is_trivial", "kind is FileKind.LOCKFILE"),
            Branch(CLASSIFIER, "_is_trivial", "patch is None"),
            Branch(CLASSIFIER, "_is_trivial", "file.status != Status.REMOVED"),
            Branch(CLASSIFIER, "_is_trivial", "not changes_sources(file, patch)"),
            Branch(LOCKFILES, "changes_sources", "set(_sources(added)) <= set(_sources(before))"),
            Branch(LOCKFILES, "_sources", "_REGISTRIES.fullmatch(source)"),
            Branch(LOCKFILES, "_sources", "_REGISTRIES.search(local)"),
        ),
        (
            NEW_SOURCE,
            KNOWN_SOURCES,
            NOT_GONE,
            UNREADABLE_LOCK,
            BY_NAME,
            f"{LOCKFILE_TESTS}::test_a_source_that_the_base_names_anywhere_is_known",
        ),
    ),
    Sentence(
        "8.2.37",
        (
            Branch(LOCKFILES, "changes_sources", "_takes_other_package(added, before)"),
            Branch(LOCKFILES, "_takes_other_package", "package.replace('%2f', '/') not in named"),
        ),
        (NEW_SOURCE, KNOWN_SOURCES),
    ),
    Sentence(
        "8.2.38",
        (Branch(LOCKFILES, "changes_sources", "_installs(added) > _installs(patch.texts('-'))"),),
        (NEW_SOURCE, KNOWN_SOURCES),
    ),
    Sentence(
        "8.2.39",
        (
            Branch(LOCKFILES, "changes_sources", "basename(file.path) == 'go.sum'"),
            Branch(LOCKFILES, "_changes_digest", "digests.get(match[1], match[2]) != match[2]"),
        ),
        (NEW_SOURCE, KNOWN_SOURCES),
    ),
    Sentence(
        "8.2.40",
        (
            Branch(CLASSIFIER, "_is_trivial", "kind in _PIN_KINDS"),
            Branch(PINS, "_moves_pins", "None in after"),
            *(
                Branch(PINS, "_FORMS", f"FileKind.{kind}", Inversion.LEFT_OUT)
                for kind in (*MANIFEST_KINDS, "DOCKERFILE")
            ),
        ),
        (MOVED_PIN, RIDES_ALONG),
    ),
    Sentence(
        "8.2.41",
        (Branch(PINS, "_moves_pins", "[form for form, _ in old] != [form for form, _ in new]"),),
        (RIDES_ALONG, OTHER_PLACE, MOVED_PIN),
    ),
    Sentence(
        "8.2.42",
        (
            Branch(PINS, "_moves_pins", "not old and (HASH_FORM in before or HASH_FORM in after)"),
            Branch(PINS, "_moves_pins", "_keeps_version(was, now)"),
            Branch(PINS, "_keeps_version", "_HASH_OPTION in was"),
        ),
        (RIDES_ALONG, MOVED_PIN),
    ),
    Sentence(
        "8.2.43",
        (Branch(PINS, "_action", "_COMMIT.fullmatch(match[2])"), Branch(PINS, "_action", "added")),
        (RIDES_ALONG, MOVED_PIN),
    ),
    Sentence(
        "8.2.44",
        (Branch(PINS, "_image", "'@sha256:' not in match[2]"), Branch(PINS, "_image", "added")),
        (RIDES_ALONG, MOVED_PIN),
    ),
    Sentence(
        "8.2.45",
        (
            Branch(MANIFESTS, "_same_values", "places.fullmatch(_END.join(place))"),
            Branch(MANIFESTS, "_same_values", "before.keys() != after.keys()"),
            Branch(MANIFESTS, "_same_trees", "_unpinned(before, key, kind) == _unpinned(after, key, kind)"),
            Branch(MANIFESTS, "_forms", "in_block in {'', 'require'}"),
        ),
        (OTHER_VERSION, MOVED_PIN),
    ),
    Sentence(
        "8.2.46",
        (
            Branch(CLASSIFIER, "_is_trivial", "patch is None"),
            Branch(CLASSIFIER, "_is_trivial", "file.status not in _LISTED"),
        ),
        (
            UNREADABLE_LOCK,
            KNOWN_SOURCES,
            f"{CLASSIFIER_TESTS}::test_a_document_that_changed_in_nothing_the_host_shows_is_not_trivial",
        ),
    ),
    Sentence(
        "8.2.47",
        (
            Branch(CLASSIFIER, "_has_plain_modes", "modes <= {REGULAR}"),
            Branch(CLASSIFIER, "_has_plain_modes", "modes <= {REGULAR, EXECUTABLE}"),
            Branch(CLASSIFIER, "_has_plain_modes", "len(modes) <= 1"),
            Branch(CLASSIFIER, "_is_trivial", "_changes_mode_only(file)"),
        ),
        (
            MODES,
            DOCUMENTATION,
            f"{CLASSIFIER_TESTS}::test_a_new_document_that_can_be_run_is_not_trivial",
            f"{CLASSIFIER_TESTS}::test_a_document_that_changed_in_nothing_the_host_shows_is_not_trivial",
        ),
    ),
    Sentence(
        "8.2.48",
        (Branch(CLASSIFIER, "_is_trivial", "file.path != file.old_path"),),
        (NOT_GONE, KNOWN_SOURCES),
    ),
    Sentence(
        "8.2.49",
        (Branch(CLASSIFIER, "_is_trivial", "kind in _PIN_KINDS"),),
        (f"{CLASSIFIER_TESTS}::test_every_other_file_is_not_trivial_not_even_its_comments", MOVED_PIN),
    ),
)
