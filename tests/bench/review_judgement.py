"""What judging the largest allowed diffs costs: plain ones, and such as are large to do harm (review §8.2)."""

from collections.abc import Iterator, Sequence
from time import process_time

from autoswe.rules.review.diff.changed_files import ChangedFile
from tests.support.review.largest_diffs import (
    LOCK_FILE,
    ONE_LINE,
    WORKFLOW,
    ever_deeper,
    followed_commands,
    judge,
    most_files,
    one_line,
    plain_code,
    plain_documents,
    plain_workflows,
    sides_of_nodes,
)

TITLE = "judging a pull request of 200 files and 512 KiB"


def measure() -> Iterator[str]:
    """Judge plain diffs, then hostile ones."""
    yield "seconds of CPU"
    yield _line("plain, code", plain_code())
    yield _line("plain, documents", plain_documents())
    yield _line("plain, workflows with both sides", plain_workflows(), sides_required=True)
    yield _line("hostile, 200 workflows without a pin", most_files())
    yield _line("hostile, 2 MiB of sides that are nothing but nodes", sides_of_nodes(), sides_required=True)
    yield _line("hostile, long commands", followed_commands())
    yield _line("hostile, ever deeper lines", ever_deeper())
    for path in (WORKFLOW, LOCK_FILE):
        for name, piece in ONE_LINE.items():
            yield _line(f"hostile, one line of {name} in {path.rpartition('/')[2]}", one_line(path, piece))


def _line(name: str, files: Sequence[ChangedFile], *, sides_required: bool = False) -> str:
    began = process_time()
    judge(files, sides_required=sides_required)
    return f"  {name:<60}{process_time() - began:7.2f} s"
