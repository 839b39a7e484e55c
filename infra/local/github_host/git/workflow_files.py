"""Which changes of GitHub Actions' workflow files a ref would bring.

Sources: "Permissions required for GitHub Apps" (``workflows``); "Scopes for OAuth apps", from which it is assumed for
Apps, too, that a file may come that another branch has already, with the same path and contents.
"""

from __future__ import annotations

from infra.local.github_host.git.store import ZERO_SHA, GitStore, RefUpdate

WORKFLOWS = ".github/workflows"


def brings_workflows(store: GitStore, update: RefUpdate) -> bool:
    """Decide whether a ref's new commits add, change or delete a workflow file that no branch has like that."""
    before = _known(store, update)
    if update.after in {ZERO_SHA, before}:
        return False
    old, new = _files(store, before), _files(store, update.after)
    if old == new:
        return False
    if old.keys() - new.keys():
        return True
    elsewhere = [_files(store, tip) for _, tip, _ in store.refs("refs/heads/")]
    changed = {path: sha for path, sha in new.items() if old.get(path) != sha}
    return not all(any(files.get(path) == sha for files in elsewhere) for path, sha in changed.items())


def _known(store: GitStore, update: RefUpdate) -> str:
    """Return the commit up to which the history is old: where the ref stands, or what any ref reaches already."""
    if update.before != ZERO_SHA or update.after == ZERO_SHA:
        return update.before
    fresh = store.run("rev-list", "--reverse", "--topo-order", update.after, "--not", "--all").decode().split()
    oldest = store.commit(fresh[0]) if fresh else None
    return update.after if oldest is None else next(iter(oldest.parents), ZERO_SHA)


def _files(store: GitStore, commit: str) -> dict[str, str]:
    found = None if commit == ZERO_SHA else store.find(f"{commit}:{WORKFLOWS}")
    if found is None or found.type != "tree":
        return {}
    return {entry.path: entry.sha for entry in store.tree(found.sha, recursive=True) if entry.type != "tree"}
