"""Says of a changed file whether it is documentation on both sides, and so outside most rules (review §8.2)."""

import re2

from autoswe.rules.review.diff.changed_files import EXECUTABLE, REGULAR, ChangedFile
from autoswe.rules.review.diff.file_kinds import DOCUMENT_KINDS, file_kind
from autoswe.rules.review.diff.patches import Patch

_SUBMODULE = re2.compile(r"Subproject commit [0-9a-f]{40}(?:-dirty)?")
_ACTIVE_DRAWING = re2.compile(r"(?i)<\s*(?:script|foreignobject|iframe|!entity)|\bon\w+\s*=|javascript:|data:text")


def is_document(file: ChangedFile, patch: Patch | None) -> bool:
    """Say whether a file is documentation before and after the change.

    It must be a regular file on each side that was read, and have a document's name under both its names: a code file
    that is renamed to a document is code. A drawing (``.svg``) is a document as long as its patch shows no script.
    """
    if any(side.mode not in {REGULAR, EXECUTABLE} for side in file.sides) or names_submodule(patch):
        return False
    if file.path.lower().endswith(".svg") and (patch is None or _is_active(patch)):
        return False
    return {file_kind(file.path), file_kind(file.old_path)} <= DOCUMENT_KINDS


def names_submodule(patch: Patch | None) -> bool:
    """Say whether a patch is the one line that git writes for a submodule."""
    texts = list(patch.texts("+-")) if patch else []
    return bool(texts) and all(_SUBMODULE.fullmatch(text) for text in texts)


def _is_active(patch: Patch) -> bool:
    return any(_ACTIVE_DRAWING.search(text) for text in patch.texts("+"))
