"""What a diff hides is seen in the whole file, and what it leaves open is judged as the worse case (review §8.2)."""

import pytest

from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.vetoes.findings import VetoRule
from autoswe.rules.review.vetoes.judgement import find_vetoes
from tests.support.review.changes import changed

CI = ".github/workflows/ci.yml"
WORKFLOW = """\
on: push
permissions: {}
jobs:
  build:
    permissions:
      contents: read
      issues: read
    uses: ./.github/workflows/build.yml
"""


def rules(file: ChangedFile, *, live: bool) -> set[VetoRule]:
    return {veto.rule for veto in find_vetoes([file], sides_required=live)}


@pytest.mark.parametrize("spelling", ['"\\x73ecrets": inherit', '"\\x73ecrets": "${{ \\x73ecrets.TOKEN }}"'])
def test_secrets_that_are_passed_on_under_an_escaped_key_are_seen_in_the_whole_file(spelling: str) -> None:
    new = WORKFLOW.replace("    uses:", f"    {spelling}\n    uses:")
    assert VetoRule.SECRET in rules(changed(CI, WORKFLOW, new, sides=True), live=True)


def test_secrets_that_are_handed_on_by_name_count_once_they_are_named_and_an_empty_hand_does_not() -> None:
    named = WORKFLOW + "    secrets:\n      token: ${{ secrets.TOKEN }}\n"
    empty = WORKFLOW + "    secrets: {}\n"
    assert rules(changed(CI, WORKFLOW, named, sides=True), live=True) == {VetoRule.SECRET}
    assert rules(changed(CI, WORKFLOW, empty, sides=True), live=True) == set()


@pytest.mark.parametrize("key", ["newer-than-any-list", "contents"])
def test_a_grant_whose_place_the_diff_does_not_show_is_taken_for_a_permission(key: str) -> None:
    new = WORKFLOW.replace("      issues: read\n", f"      issues: read\n      {key}: write\n")
    assert VetoRule.WRITE_PERMISSION in rules(changed(CI, WORKFLOW, new, context=0), live=False)
