"""Names every change that no approval may carry, whatever a reviewer concluded (review §8.2).

A patch is always judged. Where the sides of a workflow or an action were read, they are judged as well, and the vetoes
are those of both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from autoswe.rules.review.diff.changed_files import LINK, SUBMODULE, ChangedFile, Side, Status
from autoswe.rules.review.diff.file_kinds import ACTIONS_KINDS, BOTH_SIDES_READ, FileKind, file_kind
from autoswe.rules.review.diff.patches import Patch, read_patch
from autoswe.rules.review.diff.script_lines import comment_mark
from autoswe.rules.review.trivial.documents import is_document, names_submodule
from autoswe.rules.review.vetoes.download_pipes import piped_downloads
from autoswe.rules.review.vetoes.findings import Veto, VetoRule
from autoswe.rules.review.vetoes.lines import find_in_lines
from autoswe.rules.review.vetoes.structure import find_in_structure

MAX_STRUCTURE_CHARACTERS = 2 * 1024 * 1024
"""How much text of workflows and actions is judged for one pull request, both sides of all of them together."""

_QUOTED = 200
_MAX_DOWNLOADS = 100
_WHAT = {
    VetoRule.RENAMED_INTO_PLACE: "brings in content that its patch does not show, from",
    VetoRule.SUBMODULE: "is a submodule, whose commits the patch does not show",
    VetoRule.LINK: "is a symbolic link",
    VetoRule.UNREAD_SIDE: "was not read whole at its",
    VetoRule.UNREADABLE_FILE: "cannot be judged because",
    VetoRule.ODD_YAML: "spells YAML in a way that its patch alone does not explain:",
    VetoRule.PULL_REQUEST_TARGET: "adds a trigger:",
    VetoRule.WRITE_PERMISSION: "adds a permission to write:",
    VetoRule.PERMISSIONS_REMOVED: "removes a limit on its token:",
    VetoRule.SECRET: "adds a reference to a secret:",
    VetoRule.UNPINNED_ACTION: "adds an action that no commit pins:",
    VetoRule.INTERFACE_REMOVED: "removes or renames an input or output:",
    VetoRule.PIPED_DOWNLOAD: "adds a download that is run:",
}


def find_vetoes(files: Sequence[ChangedFile], *, sides_required: bool) -> tuple[Veto, ...]:
    """Give the vetoes of a pull request's files, in their order, each once.

    ``sides_required`` holds for a live run, which must have read both sides of every workflow, action, manifest and
    lockfile. Takes time linear in patches and sides.
    """
    vetoes: dict[Veto, None] = {}
    room = MAX_STRUCTURE_CHARACTERS
    for file in files:
        patch = read_patch(file)
        if is_document(file, patch):
            continue
        room -= sum(len(side.text or "") for side in file.sides) if file_kind(file.path) in ACTIONS_KINDS else 0
        found = dict.fromkeys(_of_patch(file, patch))
        found |= dict.fromkeys(_of_sides(file, sides_required=sides_required, has_room=room >= 0))
        vetoes.update(dict.fromkeys(_veto(file.path, rule, detail) for rule, detail in found))
    return tuple(vetoes)


def _veto(path: str, rule: VetoRule, detail: str) -> Veto:
    if rule is VetoRule.UNREADABLE_PATCH:
        return Veto(path, rule, f"patch for {path} is unreadable")
    return Veto(path, rule, f"{path} {_WHAT[rule]} {detail[:_QUOTED]}".rstrip())


def _of_patch(file: ChangedFile, patch: Patch | None) -> Iterator[tuple[VetoRule, str]]:
    kind, old_kind = file_kind(file.path), file_kind(file.old_path)
    if file.status == Status.COPIED or (file.path != file.old_path and kind is not old_kind):
        yield VetoRule.RENAMED_INTO_PLACE, file.old_path
    if file.path != file.old_path and old_kind is FileKind.ACTION:
        yield VetoRule.INTERFACE_REMOVED, f"all of {file.old_path}"
    if patch is None or file.status not in set(Status):
        yield VetoRule.UNREADABLE_PATCH, ""
    if patch is None:
        return
    if names_submodule(patch):
        yield VetoRule.SUBMODULE, ""
    for each in sorted({kind, old_kind} & ACTIONS_KINDS):
        is_read = file.head is not None and file.head.text is not None
        yield from find_in_lines(patch, each, structure_is_read=is_read)
    for command in _new_downloads(patch, comment_mark(file.path)):
        yield VetoRule.PIPED_DOWNLOAD, command


def _new_downloads(patch: Patch, mark: str) -> Iterable[str]:
    """Give the downloads that added lines run, but for those of the same hunk before; of very many only the first."""
    for hunk in patch.hunks:
        after = list(islice(piped_downloads([(text, sign == "+") for sign, text in hunk.new()], mark), _MAX_DOWNLOADS))
        if len(after) == _MAX_DOWNLOADS:
            yield after[0]
        elif after:
            before = Counter(piped_downloads([(text, sign == "-") for sign, text in hunk.old()], mark))
            yield from Counter(after) - before


def _of_sides(file: ChangedFile, *, sides_required: bool, has_room: bool) -> Iterator[tuple[VetoRule, str]]:
    modes = {side.mode for side in file.sides}
    if SUBMODULE in modes:
        yield VetoRule.SUBMODULE, ""
    if LINK in modes:
        yield VetoRule.LINK, ""
    kind, old_kind = file_kind(file.path), file_kind(file.old_path)
    if sides_required and {kind, old_kind} & BOTH_SIDES_READ:
        for name, side, exists in (("base", file.base, file.has_base), ("head", file.head, file.has_head)):
            if exists and (side is None or side.text is None):
                yield VetoRule.UNREAD_SIDE, name
    if kind not in ACTIONS_KINDS or not file.sides:
        return
    if not has_room:
        yield VetoRule.UNREADABLE_FILE, "the pull request changes too many characters of workflows and actions"
        return
    base = _text(file.base) if kind is old_kind and file.has_base and file.status != Status.COPIED else None
    head = _text(file.head)
    if head is not None or not file.has_head:
        yield from find_in_structure(base, head, kind)


def _text(side: Side | None) -> str | None:
    return side.text if side else None
