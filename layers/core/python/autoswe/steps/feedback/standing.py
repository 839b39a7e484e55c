"""Finds out whether a commit that is on record has reached its branch (feedback §5)."""

from typing import Protocol

from autoswe.rules.github.facts import Pull


class BranchHost(Protocol):
    """What is asked of a host about one branch of a pull request."""

    def ref(self, name: str) -> str | None:
        """Read the commit that a ref points to."""
        ...

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        """Say whether a branch stands at a commit or has gone on from it."""
        ...


def stands(host: BranchHost, pull_number: int, ref: str, commit: str) -> bool:
    """Say whether anything on the host shows a branch at the commit; whatever another part of it says, that counts.

    A comparison answers for a while that there is no such commit.
    """
    return (
        host.ref(f"heads/{ref}") == commit
        or host.pull(pull_number).head_sha == commit
        or host.branch_holds(ref, commit)
    )
