"""What judging the largest allowed diffs costs: plain ones, and such as are large to do harm (review §8.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import process_time

from autoswe.rules.review.diff.changed_files import ChangedFile
from tests.bench.scale import Scale
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


def measure(scale: Scale) -> Iterator[str]:
    """Judge plain diffs, then hostile ones."""
    yield "seconds of CPU"
    for name, files, sides_required in _diffs():
        yield _line(name, _part(files, scale.share), sides_required=sides_required)


def _diffs() -> Iterator[tuple[str, Sequence[ChangedFile], bool]]:
    """Give the name of each diff, its files, and whether their sides are judged."""
    yield "plain, code", plain_code(), False
    yield "plain, documents", plain_documents(), False
    yield "plain, workflows with both sides", plain_workflows(), True
    yield "hostile, 200 workflows without a pin", most_files(), False
    yield "hostile, 2 MiB of sides that are nothing but nodes", sides_of_nodes(), True
    yield "hostile, long commands", followed_commands(), False
    yield "hostile, ever deeper lines", ever_deeper(), False
    for path in (WORKFLOW, LOCK_FILE):
        for name, piece in ONE_LINE.items():
            yield f"hostile, one line of {name} in {path.rpartition('/')[2]}", one_line(path, piece), False


def _part(files: Sequence[ChangedFile], share: int) -> Sequence[ChangedFile]:
    """Leave all but the first files out, and all but the beginning of a patch that is alone."""
    first, *others = files[: max(len(files) // share, 1)]
    if len(files) == 1 and first.patch is not None:
        return [replace(first, patch=first.patch[: len(first.patch) // share])]
    return [first, *others]


def _line(name: str, files: Sequence[ChangedFile], *, sides_required: bool) -> str:
    began = process_time()
    judge(files, sides_required=sides_required)
    return f"  {name:<60}{process_time() - began:7.2f} s"
