"""The largest diff that is allowed is judged whatever it holds: a rule that is not linear would not come back from it.

See review §8.2.
"""

import pytest

from autoswe.rules.review.changed_files import ChangedFile
from autoswe.rules.review.classifier import classify_trivial
from autoswe.rules.review.selection import MAX_FILES, MAX_PATCH_BYTES
from autoswe.rules.review.vetoes import find_vetoes
from tests.support.review_changes import changed

WORKFLOW = ".github/workflows/ci.yml"
ONE_LINE = {
    "a long word": "x",
    "entries in flow style": "{uses: a, ",
    "secrets": "secrets ",
    "expressions": "${{ secrets }}",
    "open expressions": "${{",
    "quotes and comments": "'#",
    "open quotes": '"',
    "downloads": "curl ",
    "pipes": "curl x | ",
    "substitutions": "bash <(curl $(curl `curl ",
    "wrappers": "curl | sudo ",
    "requirements": "a==1,>=2 ; ",
    "sources": "url = a:// ",
    "addresses": "a.b@c.d:",
    "backslashes": "\\",
    "brackets": "[",
}


def added(path: str, text: str) -> ChangedFile:
    lines = text.split("\n")
    patch = f"@@ -0,0 +1,{len(lines)} @@\n" + "\n".join(f"+{line}" for line in lines)
    return ChangedFile(path, "added", len(lines), 0, patch)


def judge(*files: ChangedFile) -> None:
    find_vetoes(files, sides_required=False)
    classify_trivial(files, sides_required=False)


@pytest.mark.parametrize("piece", ONE_LINE.values(), ids=ONE_LINE.keys())
@pytest.mark.parametrize("path", [WORKFLOW, "uv.lock"])
def test_one_line_of_the_largest_size_is_judged(piece: str, path: str) -> None:
    judge(added(path, f"a: {piece * ((MAX_PATCH_BYTES - 100) // len(piece))} curl"))


def test_commands_of_the_longest_length_that_is_followed_are_judged() -> None:
    command = f"curl x {'| tee $(curl `x` ' * 1_000}"
    judge(added("x.sh", "\n".join([command] * (MAX_PATCH_BYTES // len(command)))))


def test_lines_that_stand_ever_deeper_are_judged() -> None:
    judge(added(WORKFLOW, "\n".join(f"{' ' * depth}uses:" for depth in range(1_000))))


def test_the_largest_number_of_files_is_judged() -> None:
    text = "      - uses: a/b@main # x\n" * (MAX_PATCH_BYTES // MAX_FILES // 27)
    files = [added(f".github/workflows/{number}.yml", text) for number in range(MAX_FILES)]
    assert {veto.path for veto in find_vetoes(files, sides_required=False)} == {file.path for file in files}


def test_keys_of_very_many_parts_are_refused_before_they_are_parsed() -> None:
    old = f'a{".a" * 100_000} = "1"'
    file = changed("pyproject.toml", f'x = "1"\n{old}', f'x = "2"\n{old}', sides=True)
    assert not classify_trivial([file], sides_required=True).trivial
