"""Whether a branch's protection lets a ref change through, and what GitHub says when it does not.

Rules only. Sources: "About protected branches", "Available rules for rulesets". Observed: the words about changes that
must go through a pull request, the status 409 for unsigned commits, and the bare refusal to create a protected name;
the other messages contain what clients are known to match on, and are otherwise assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any


class ChangeKind(StrEnum):
    """What happens to the branch."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True)
class BranchChange:
    """A ref change that somebody without the right to bypass rules asks for.

    ``fast_forward`` is true when no commit would be lost, ``signed`` when every new commit is verified, ``linear`` when
    none of them is a merge.
    """

    branch: str
    kind: ChangeKind
    fast_forward: bool = True
    signed: bool = True
    linear: bool = True


@dataclass(frozen=True)
class BranchRule:
    """One active ruleset rule; ``pattern`` is a branch name or a shell pattern of names."""

    pattern: str
    type: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ruleset_id: int = 1

    def applies_to(self, branch: str) -> bool:
        """Tell whether the rule speaks of a branch."""
        return fnmatchcase(branch, self.pattern)


@dataclass(frozen=True)
class Refusal:
    """How GitHub refuses the change: HTTP status and message."""

    status: int
    message: str


_RULE_REASONS = {
    "pull_request": "Changes must be made through a pull request.",
    "required_status_checks": "Required status check is expected.",
    "update": "Cannot update this protected ref.",
    "creation": "Cannot create ref due to creations being restricted.",
    "deletion": "Cannot delete this protected ref.",
    "non_fast_forward": "Cannot force-push to this branch",
    "required_signatures": "Commits must have verified signatures.",
    "required_linear_history": "This branch must not contain merge commits.",
    "merge_queue": "Changes must be made through the merge queue",
}
RULE_TYPES = frozenset(_RULE_REASONS)


def refusal(change: BranchChange, protected: Iterable[str], rules: Iterable[BranchRule]) -> Refusal | None:
    """Judge a change against classic protections (name patterns) and ruleset rules; None lets it through."""
    if any(fnmatchcase(change.branch, pattern) for pattern in protected):
        return _protection_refusal(change)
    violated = [rule.type for rule in rules if rule.applies_to(change.branch) and _violates(change, rule.type)]
    if not violated:
        return None
    reasons = "\n\n".join(_RULE_REASONS[kind] for kind in violated)
    status = 409 if violated == ["required_signatures"] else 422
    return Refusal(status, f"Repository rule violations found\n\n{reasons}\n\n")


def _protection_refusal(change: BranchChange) -> Refusal:
    if change.kind is ChangeKind.CREATE:
        return Refusal(422, "Reference update failed")
    if change.kind is ChangeKind.DELETE:
        return Refusal(422, "Cannot delete this protected branch")
    if not change.fast_forward:
        return Refusal(422, "Cannot force-push to this branch")
    ref = f"refs/heads/{change.branch}"
    return Refusal(422, f"Protected branch update failed for {ref}.\n\nYou're not authorized to push to this branch.")


def _violates(change: BranchChange, rule: str) -> bool:
    match rule:
        case "creation":
            return change.kind is ChangeKind.CREATE
        case "deletion":
            return change.kind is ChangeKind.DELETE
        case "non_fast_forward":
            return not change.fast_forward
        case "required_signatures":
            return change.kind is not ChangeKind.DELETE and not change.signed
        case "required_linear_history":
            return change.kind is not ChangeKind.DELETE and not change.linear
        case "update" | "pull_request" | "required_status_checks" | "merge_queue":
            return change.kind is ChangeKind.UPDATE
        case _:
            raise ValueError(f"unknown rule type {rule!r}; known are {', '.join(sorted(RULE_TYPES))}")
