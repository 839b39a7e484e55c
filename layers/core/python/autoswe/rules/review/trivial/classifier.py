"""Says of every changed file whether the change to it is trivial (review §8.2).

The reviewer's claim that a change is trivial is corroborated here, from the same patches; where both sides of a file
were read, patch and sides must both say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from autoswe.rules.review.diff.changed_files import EXECUTABLE, REGULAR, ChangedFile, Status
from autoswe.rules.review.diff.file_kinds import BOTH_SIDES_READ, FileKind, file_kind
from autoswe.rules.review.diff.patches import Patch, read_patch
from autoswe.rules.review.trivial.documents import is_document
from autoswe.rules.review.trivial.lockfiles import changes_sources
from autoswe.rules.review.trivial.manifests import differs_in_pins_only
from autoswe.rules.review.trivial.pins import only_moves_pins

_LISTED = frozenset(Status) - {Status.CHANGED, Status.COPIED}
_PIN_KINDS = BOTH_SIDES_READ - {FileKind.LOCKFILE}


@dataclass(frozen=True, slots=True)
class Classification:
    """Whether a pull request is trivial, and the paths of the files that are not, in their order."""

    trivial: bool
    non_trivial_paths: tuple[str, ...]


def classify_trivial(files: Sequence[ChangedFile], *, sides_required: bool) -> Classification:
    """Classify a pull request; one without any files is not trivial.

    ``sides_required`` holds for a live run, which knows every file's mode on both sides, and has read both sides of
    every manifest and lockfile. Takes time linear in patches and sides.
    """
    paths = tuple(file.path for file in files if not _is_trivial(file, sides_required=sides_required))
    return Classification(bool(files) and not paths, paths)


def _is_trivial(file: ChangedFile, *, sides_required: bool) -> bool:
    if file.status not in _LISTED or not _has_plain_modes(file, sides_required=sides_required):
        return False
    patch = read_patch(file)
    if is_document(file, patch):
        return not _changes_mode_only(file)
    if patch is None or file.path != file.old_path:
        return False
    kind = file_kind(file.path)
    if kind in BOTH_SIDES_READ and sides_required and not _is_read(file):
        return False
    if kind is FileKind.LOCKFILE:
        return file.status != Status.REMOVED and not changes_sources(file, patch)
    return kind in _PIN_KINDS and _moves_pins_only(file, kind, patch)


def _has_plain_modes(file: ChangedFile, *, sides_required: bool) -> bool:
    """Say whether the file is a regular one whose mode stays, and a new one cannot be run."""
    if sides_required and ((file.has_base and not file.base) or (file.has_head and not file.head)):
        return False
    modes = {side.mode for side in file.sides}
    if file.status == Status.ADDED:
        return modes <= {REGULAR}
    return modes <= {REGULAR, EXECUTABLE} and len(modes) <= 1


def _changes_mode_only(file: ChangedFile) -> bool:
    is_empty = file.patch is None and not file.patch_truncated and not file.additions and not file.deletions
    return is_empty and file.status == Status.MODIFIED and file_kind(file.path) is not FileKind.IMAGE


def _is_read(file: ChangedFile) -> bool:
    sides = ((file.base, file.has_base), (file.head, file.has_head))
    return all(side is not None and side.text is not None for side, exists in sides if exists)


def _moves_pins_only(file: ChangedFile, kind: FileKind, patch: Patch) -> bool:
    if file.status != Status.MODIFIED or not patch.hunks:
        return False
    if not only_moves_pins(kind, (run for hunk in patch.hunks for run in hunk.runs())):
        return False
    base, head = (side.text if side else None for side in (file.base, file.head))
    return base is None or head is None or differs_in_pins_only(kind, base, head)
