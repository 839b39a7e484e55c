"""A collected change, put onto a pristine copy of the source."""

from autoswe.contracts.feedback.fixing import Change, ChangeOperation, ContentRefused, FileChange, FileMode
from autoswe.rules.source.archive import SourceMode
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.pristine import Pristine


def apply_change(change: Change, pristine: Pristine, workspace: Workspace) -> None:
    """Apply ``change`` to ``workspace``, a copy of ``pristine``; ``TaskFailed`` names the file that does not fit.

    A file fits when its operation agrees with what it carries and with the source: an addition is new, a modification
    and a deletion name the blob that is there, and it is no link. Deletions come first, so that a file may become a
    folder and a folder a file.
    """
    if len({file.path for file in change.files}) < len(change.files):
        raise TaskFailed("the change names a path twice")
    contents = [(file, _content_of(file, pristine)) for file in change.files]
    for file, content in contents:
        if content is None:
            workspace.remove(file.path)
    for file, content in contents:
        if content is not None:
            workspace.replace(file.path, content, executable=file.mode is FileMode.EXECUTABLE)


def _content_of(file: FileChange, pristine: Pristine) -> bytes | None:
    """Return what the file is to hold, nothing for a deletion."""
    before = pristine.get(file.path)
    if before is not None and before.mode is SourceMode.LINK:
        raise TaskFailed(f"the change touches {file.path[:200]!r}, which is a link in the source")
    if (before.blob_id if before else None) != file.base_blob:
        raise TaskFailed(f"the change does not know what {file.path[:200]!r} held before")
    if (file.op is ChangeOperation.ADD) != (before is None):
        raise TaskFailed(f"the change would {file.op} {file.path[:200]!r} against the source")
    if (file.op is ChangeOperation.DELETE) != (file.content_base64 is None):
        raise TaskFailed(f"the change would {file.op} {file.path[:200]!r}, which does not fit the content it carries")
    try:
        return file.decode_content()
    except ContentRefused as refusal:
        raise TaskFailed(f"the change carries content for {file.path[:200]!r} that {refusal}") from None
