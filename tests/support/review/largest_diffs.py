"""The largest diffs that are allowed, of whatever a rule that is not linear would not come back from (review §8.2)."""

from collections.abc import Sequence

from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.pulls.selection import MAX_FILES, MAX_PATCH_BYTES
from autoswe.rules.review.trivial.classifier import classify_trivial
from autoswe.rules.review.vetoes.judgement import MAX_STRUCTURE_CHARACTERS, find_vetoes
from tests.support.review.changes import changed

WORKFLOW = ".github/workflows/ci.yml"
LOCK_FILE = "uv.lock"
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
"""What one line of the largest size is made of, again and again."""


def judge(files: Sequence[ChangedFile], *, sides_required: bool = False) -> None:
    """Judge files as the check does."""
    find_vetoes(files, sides_required=sides_required)
    classify_trivial(files, sides_required=sides_required)


def added(path: str, text: str) -> ChangedFile:
    """Build the entry of a new file."""
    lines = text.split("\n")
    patch = f"@@ -0,0 +1,{len(lines)} @@\n" + "\n".join(f"+{line}" for line in lines)
    return ChangedFile(path, "added", len(lines), 0, patch)


def one_line(path: str, piece: str) -> list[ChangedFile]:
    """Build a file of a single line that is as long as it may be."""
    return [added(path, f"a: {piece * ((MAX_PATCH_BYTES - 100) // len(piece))} curl")]


def followed_commands() -> list[ChangedFile]:
    """Build a script of commands of the longest length that is followed."""
    command = f"curl x {'| tee $(curl `x` ' * 1_000}"
    return [added("x.sh", "\n".join([command] * (MAX_PATCH_BYTES // len(command))))]


def ever_deeper() -> list[ChangedFile]:
    """Build a workflow each line of which stands deeper than the one before."""
    return [added(WORKFLOW, "\n".join(f"{' ' * depth}uses:" for depth in range(1_000)))]


def most_files() -> list[ChangedFile]:
    """Build the largest number of workflows, of steps that no commit pins."""
    text = "      - uses: a/b@main # x\n" * (MAX_PATCH_BYTES // MAX_FILES // 27)
    return [added(f".github/workflows/{number}.yml", text) for number in range(MAX_FILES)]


def sides_of_nodes() -> list[ChangedFile]:
    """Build workflows that gain a line each, and whose sides are as much text as is judged: list elements alone."""
    text = f"a: [{'a,' * 45_000}a]\n"
    count = MAX_STRUCTURE_CHARACTERS // (2 * len(text) + 10)
    return [changed(f".github/workflows/{number}.yml", text, f"{text}b: c\n", sides=True) for number in range(count)]


def plain_code() -> list[ChangedFile]:
    """Build the largest number of programs, each of which is rewritten."""
    return [_rewritten(f"src/module_{number}.py", "    total = total + price * count  # {} of {}") for number in _FILES]


def plain_workflows() -> list[ChangedFile]:
    """Build the largest number of workflows with both their sides, each with another commit in every step."""
    step = f"      - uses: actions/checkout@{{}}{'0' * 39} # {{}}"
    head = "on: push\npermissions: {}\njobs:\n  tests:\n    runs-on: ubuntu-latest\n    steps:\n"
    return [_rewritten(f".github/workflows/{number}.yml", step, head, sides=True) for number in _FILES]


def plain_documents() -> list[ChangedFile]:
    """Build the largest number of documents, each of which is rewritten."""
    return [
        _rewritten(f"docs/page-{number}.md", "In case {} of {} run `make test` and read what it says.")
        for number in _FILES
    ]


_FILES = range(MAX_FILES)


def _rewritten(path: str, line: str, head: str = "", *, sides: bool = False) -> ChangedFile:
    """Build a file whose share of the largest patch is lines that are each replaced."""
    count = (MAX_PATCH_BYTES // MAX_FILES - len(head) - 40) // (2 * (len(line) + 4))
    old, new = (head + "\n".join(line.format(side, number) for number in range(count)) for side in "12")
    return changed(path, old, new, sides=sides)
