"""Reads from a workflow's or an action's whole file what a veto is about (review §8.2).

Every fact names the job that it holds in, so that a step which moved to another job counts as a new one there.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from autoswe.rules.review.diff.expressions import secret_references
from autoswe.rules.review.diff.yaml_tree import Tree, scalars
from autoswe.rules.review.vetoes.download_pipes import may_run_download, piped_downloads

WHOLE_FILE = ""
"""The scope of what holds for a workflow or an action as a whole; a job's scope is its id."""

Grants = frozenset[str]


@dataclass(frozen=True, slots=True)
class ActionsFacts:
    """What one side of a workflow or an action says.

    ``triggers`` are events in lower case. ``permissions`` maps a scope to what is granted for writing there, none where
    the scope has no permissions of its own; ``locked`` are the scopes that grant nothing at all. ``jobs`` are the ids
    of the jobs. The counters count pairs of a scope and a secret reference, a ``uses:`` value, a piped download.
    ``interface`` holds pairs of ``inputs`` or ``outputs`` and a name in lower case.
    """

    triggers: frozenset[str] = frozenset()
    permissions: dict[str, Grants | None] = field(default_factory=dict)
    locked: frozenset[str] = frozenset()
    jobs: frozenset[str] = frozenset()
    secrets: Counter[tuple[str, str]] = field(default_factory=Counter)
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)
    downloads: Counter[tuple[str, str]] = field(default_factory=Counter)
    interface: frozenset[tuple[str, str]] = frozenset()


def read_facts(tree: dict[str, Tree]) -> ActionsFacts:
    """Read the facts of a workflow or an action."""
    jobs = {job: body for body_of_jobs in _values(tree, "jobs") for job, body in _items(body_of_jobs)}
    scopes: dict[str, Tree] = {WHOLE_FILE: {key: value for key, value in tree.items() if key.lower() != "jobs"}, **jobs}
    permissions = {scope: _permissions(body) for scope, body in scopes.items()}
    return ActionsFacts(
        triggers=frozenset(_triggers(tree)),
        permissions={scope: None if said is None else _write_grants(said) for scope, said in permissions.items()},
        locked=frozenset(scope for scope, said in permissions.items() if said == {}),
        jobs=frozenset(jobs),
        secrets=Counter((scope, each) for scope, body in scopes.items() for each in _secrets(body)),
        uses=Counter((scope, value) for scope, body in scopes.items() for value in _uses(body)),
        downloads=Counter((scope, each) for scope, body in scopes.items() for each in _downloads(body)),
        interface=frozenset(
            (section, name.lower())
            for section in ("inputs", "outputs")
            for body in _values(tree, section)
            for name, _ in _items(body)
        ),
    )


def _items(tree: Tree) -> Iterator[tuple[str, Tree]]:
    if isinstance(tree, dict):
        yield from tree.items()


def _values(tree: Tree, name: str) -> Iterator[Tree]:
    """Give what stands under a key, however it is capitalised."""
    return (value for key, value in _items(tree) if key.lower() == name)


def _triggers(tree: Tree) -> Iterator[str]:
    for events in _values(tree, "on"):
        names = [events] if isinstance(events, str) else events
        yield from (name.strip().lower() for name in names if isinstance(name, str))


def _permissions(body: Tree) -> Tree | None:
    return next(_values(body, "permissions"), None)


def _write_grants(said: Tree) -> Grants:
    """Name what a block of permissions grants beyond reading; what is not understood is granted."""
    if isinstance(said, dict):
        return frozenset(
            key.strip().lower()
            for key, value in said.items()
            if not isinstance(value, str) or value.strip().lower() not in {"read", "none"}
        )
    return frozenset() if isinstance(said, str) and said.strip().lower() in {"read-all", "", "~", "null"} else _ALL


_ALL: Grants = frozenset({"write-all"})


def _secrets(body: Tree) -> Iterator[str]:
    for scalar in scalars(body):
        yield from secret_references(scalar)
    for passed in _values(body, "secrets"):
        if isinstance(passed, str) and passed.strip():
            yield f"secrets: {passed.strip().lower()}"


def _uses(body: Tree) -> Iterator[str]:
    steps = [step for runs in [body, *_values(body, "runs")] for step in _steps(runs)]
    for user in [body, *steps]:
        for value in _values(user, "uses"):
            yield value.strip() if isinstance(value, str) else "a value that is no text"


def _steps(body: Tree) -> Iterator[Tree]:
    for steps in _values(body, "steps"):
        if isinstance(steps, list):
            yield from steps


def _downloads(body: Tree) -> Iterator[str]:
    for scalar in scalars(body):
        if may_run_download(scalar):
            yield from piped_downloads([(row, True) for row in scalar.split("\n")], "#")
