"""Lays out what a session reads: the packet with people's prose screened, the change as one diff, and the checkout."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from autoswe.contracts.review.selection import ChangedFile, SelectedPull
from autoswe.rules.review.verdict.review_prompt import CHECKOUT_FOLDER, DIFF_FILE, PACKET_FILE
from autoswe.rules.text.kinds import Untrusted
from autoswe.rules.text.screen import Refused, screen
from autoswe.tasks.agent_clis.set_aside import set_aside
from autoswe.tasks.container.workspace import Workspace

WITHHELD = "(withheld: it reads like instructions to a program)"
"""What stands in the packet in the place of a text that the injection screen refused."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """What the prompt has to tell: which texts were withheld, by their places in the packet, and the ending of names.

    ``mark`` is the ending that files which configure agents bear in the checkout.
    """

    withheld: tuple[str, ...]
    mark: str


def lay_out(pull: SelectedPull, source: bytes, folder: Path) -> LaidOut:
    """Fill ``folder``, which must not exist, with packet, diff and checkout.

    ``SourceRefused`` comes from the archive's own rules.
    """
    folder.mkdir(mode=0o700)
    screened, withheld = screen_prose(pull)
    (folder / PACKET_FILE).write_text(screened.model_dump_json(by_alias=True, indent=2), encoding="utf-8")
    (folder / DIFF_FILE).write_text(write_diff(pull.files), encoding="utf-8", newline="")
    checkout = Workspace.unpack(BytesIO(source), folder / CHECKOUT_FOLDER)
    return LaidOut(withheld, set_aside(checkout.root))


def screen_prose(pull: SelectedPull) -> tuple[SelectedPull, tuple[str, ...]]:
    """Screen title, body, labels and commit messages; gives the places of what was withheld.

    What passes comes without HTML comments, which a reader of the page does not see. Patches stay as they are: a
    reviewer who does not see a line cannot judge it.
    """
    places = ["title", "body", *_places("labels", pull.labels), *_places("commits", pull.commits)]
    texts = [pull.title, pull.body, *pull.labels, *(commit.message for commit in pull.commits)]
    verdicts = screen([Untrusted(text) for text in texts])
    title, body, *rest = (WITHHELD if isinstance(verdict, Refused) else str(verdict) for verdict in verdicts)
    labels, messages = tuple(rest[: len(pull.labels)]), rest[len(pull.labels) :]
    commits = (
        commit.model_copy(update={"message": message}) for commit, message in zip(pull.commits, messages, strict=True)
    )
    screened = pull.model_copy(update={"title": title, "body": body, "labels": labels, "commits": tuple(commits)})
    return screened, tuple(
        place for place, verdict in zip(places, verdicts, strict=True) if isinstance(verdict, Refused)
    )


def write_diff(files: Iterable[ChangedFile]) -> str:
    """Write the patches as one text to read, each below a line that names its file.

    No line of a patch can pose as one of ours, which all begin with a letter: what begins neither with a blank nor with
    a sign of a patch is indented.
    """
    return "\n".join(line for file in files for line in _tell_file(file)) + "\n"


def _tell_file(file: ChangedFile) -> Iterator[str]:
    yield f"diff of {_quote(file.path)}: {file.status}, lines added: {file.additions}, deleted: {file.deletions}"
    if file.previous_path is not None:
        yield f"formerly {_quote(file.previous_path)}"
    if file.patch is None:
        yield "there is no patch to show"
    else:
        yield from (line if line[:1] in _SIGNS else f" {line}" for line in file.patch.split("\n"))
    if file.patch_truncated:
        yield "the patch was cut off here"


_SIGNS = frozenset(" +-@\\")


def _places(name: str, texts: Sequence[object]) -> Iterator[str]:
    return (f"{name}[{number}]" for number in range(len(texts)))


def _quote(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)
