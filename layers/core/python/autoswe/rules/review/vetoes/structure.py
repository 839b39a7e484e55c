"""Vetoes that only both whole sides of a workflow or an action show (review §8.2)."""

from collections.abc import Iterator

from autoswe.rules.review.diff.file_kinds import FileKind
from autoswe.rules.review.diff.yaml_tree import Tree, Unreadable, read_yaml
from autoswe.rules.review.vetoes.actions_facts import WHOLE_FILE, ActionsFacts, read_facts
from autoswe.rules.review.vetoes.findings import VetoRule
from autoswe.rules.review.vetoes.pinned_actions import is_unpinned

Found = tuple[VetoRule, str]


def find_in_structure(base: str | None, head: str | None, kind: FileKind) -> Iterator[Found]:
    """Give each rule that the head breaks and the base does not, with what breaks it.

    ``base`` is none where the file is new at its place: then all that the head says is an addition. ``head`` is none
    where the file is gone.
    """
    before, after = (_read(text) for text in (base, head))
    if isinstance(after, Unreadable):
        yield VetoRule.UNREADABLE_FILE, after.reason
        return
    if isinstance(before, Unreadable):
        yield VetoRule.UNREADABLE_FILE, f"before the change {before.reason}"
        return
    yield from compare_facts(before, after, kind)


def _read(text: str | None) -> ActionsFacts | Unreadable:
    tree: Tree | Unreadable = {} if text is None else read_yaml(text)
    if isinstance(tree, Unreadable):
        return tree
    return read_facts(tree) if isinstance(tree, dict) else Unreadable("it holds no mapping")


def compare_facts(before: ActionsFacts, after: ActionsFacts, kind: FileKind) -> Iterator[Found]:
    """Give each rule that one side breaks and the side before it does not."""
    for _, reference in after.secrets - before.secrets:
        yield VetoRule.SECRET, reference
    for _, value in after.uses - before.uses:
        if is_unpinned(value):
            yield VetoRule.UNPINNED_ACTION, value
    for _, command in after.downloads - before.downloads:
        yield VetoRule.PIPED_DOWNLOAD, command
    if kind is FileKind.ACTION:
        for _, name in before.interface - after.interface:
            yield VetoRule.INTERFACE_REMOVED, name
        return
    if "pull_request_target" in after.triggers - before.triggers:
        yield VetoRule.PULL_REQUEST_TARGET, "pull_request_target"
    yield from _permissions(before, after)


def _permissions(before: ActionsFacts, after: ActionsFacts) -> Iterator[Found]:
    """Compare what each scope may write, a job without permissions of its own having the workflow's."""
    for scope in sorted(after.permissions):
        declared = after.permissions[scope]
        if scope != WHOLE_FILE and scope not in before.jobs:
            gained = declared or frozenset()
            lost = False
        else:
            was, now = _effective(before, scope), _effective(after, scope)
            gained = (now or frozenset()) - (was or frozenset())
            lost = _is_locked(before, scope) and not _is_locked(after, scope)
            lost = lost or (was is not None and now is None)
        for key in sorted(gained):
            yield VetoRule.WRITE_PERMISSION, "permissions: write-all" if key == "write-all" else f"{key}: write"
        if lost:
            yield VetoRule.PERMISSIONS_REMOVED, f"permissions of the job {scope}" if scope else "permissions"


def _effective(facts: ActionsFacts, scope: str) -> frozenset[str] | None:
    own = facts.permissions.get(scope)
    return facts.permissions.get(WHOLE_FILE) if own is None else own


def _is_locked(facts: ActionsFacts, scope: str) -> bool:
    return scope in facts.locked or (WHOLE_FILE in facts.locked and facts.permissions.get(scope) is None)
