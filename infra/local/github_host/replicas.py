"""Reading from a replica that lags: what was written a moment ago is not there yet.

Observed, with bounds that GitHub does not document: a list of comments or of threads may lack for 1 to 8 seconds what
was just written, a ref may be read as it was up to half a minute before, and a check may be unknown to one endpoint
and shown by another. Writes always go to the primary, and so do webhooks: they tell of what no list shows yet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from functools import partial
from typing import Generic, TypeVar

from infra.local.github_host.checks.checks import Checks
from infra.local.github_host.checks.copies import copy_checks
from infra.local.github_host.checks.copies import fingerprint as checks_fingerprint
from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.host_state import HostState
from infra.local.github_host.pulls.copies import Conversation, copy_conversation
from infra.local.github_host.pulls.copies import fingerprint as conversation_fingerprint
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review, ReviewComment, ReviewThread

Copy = TypeVar("Copy")

# What lags by ``Limits.replica_lag_seconds``.
LISTS = (
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
    "graphql *",
)
_ALWAYS = datetime.min.replace(tzinfo=UTC)


class View:
    """What a request sees: here the primary, all that is there."""

    def comments(self, pull: Pull) -> Sequence[IssueComment]:
        """List the issue comments of a pull request."""
        return pull.comments

    def reviews(self, pull: Pull) -> Sequence[Review]:
        """List the reviews of a pull request."""
        return pull.reviews

    def threads(self, pull: Pull) -> Sequence[ReviewThread]:
        """List the threads of a pull request."""
        return pull.threads

    def checks(self, repository: CheckedRepository) -> Checks:
        """Return what CI said in a repository."""
        return repository.checks

    def knows(self, _repository: GitRepository, _sha: str) -> bool:
        """Tell whether a commit that is there can be seen."""
        return True

    def node(self, node: object) -> object:
        """Return how an object is seen, None when it is not there yet."""
        return node


LIVE = View()


@dataclass
class _History(Generic[Copy]):
    """What something was, from when on; the oldest first."""

    fingerprint: object = None
    copies: list[tuple[datetime, Copy]] = field(default_factory=list)

    def note(self, at: datetime, fingerprint: object, copy: Callable[[], Copy], kept_from: datetime) -> None:
        """Remember what it is now, if that is new, and forget what was over before ``kept_from``."""
        if not self.copies or fingerprint != self.fingerprint:
            self.copies.append((at, copy()))
            self.fingerprint = fingerprint
        while len(self.copies) > 1 and self.copies[1][0] <= kept_from:
            del self.copies[0]

    def at(self, moment: datetime) -> Copy | None:
        """Return what it was at a moment, None when it was not there."""
        return next((copy for since, copy in reversed(self.copies) if since <= moment), None)


class Replicas:
    """The copies of what may be read late; nothing is copied as long as nothing lags."""

    def __init__(self, state: HostState) -> None:
        self._state = state
        self._planned: list[tuple[str, float]] = []
        self._conversations: defaultdict[str, _History[Conversation]] = defaultdict(_History)
        self._checks: defaultdict[str, _History[Checks]] = defaultdict(_History)
        self._noted: datetime | None = None
        self._over = _ALWAYS
        state.recorders.append(self._note)

    def lag(self, operation: str, seconds: float) -> None:
        """Let an operation, or all that fit a shell pattern, see everything ``seconds`` late by the host's clock.

        Comments, reviews, threads, checks and commits come late, edits and deletions, too; refs and the pull request
        itself do not. The first that fits counts, before ``Limits.replica_lag_seconds``.
        """
        with self._state.change():
            if not self._planned:
                # What is there by now is there everywhere.
                for repository in self._state.repositories.values():
                    repository.written.clear()
            self._planned.append((operation, seconds))
            self._note(begins=True)

    def catch_up(self) -> None:
        """Let nothing lag that was asked to."""
        with self._state.change():
            self._planned.clear()

    def view(self, operation: str) -> View:
        """Return what a reading operation sees at this moment."""
        now = self._state.clock()
        for pattern, seconds in self._planned:
            if fnmatchcase(operation, pattern):
                if seconds <= 0:
                    return LIVE
                return _Late(self._conversations, self._checks, now - timedelta(seconds=seconds), whole=True)
        lag = self._state.limits.replica_lag_seconds
        if lag > 0 and any(fnmatchcase(operation, one) for one in LISTS):
            return _Late(self._conversations, self._checks, now - timedelta(seconds=lag), whole=False)
        return LIVE

    def _note(self, *, begins: bool) -> None:
        """Keep what was there before a change begins, once for each moment of the host's clock.

        What changed since the last note has been like that since the last change was over; what several changes do at
        one moment is seen together.
        """
        now = self._state.clock()
        if not begins:
            self._over = now
            return
        longest = max((self._state.limits.replica_lag_seconds, *(seconds for _, seconds in self._planned)))
        if longest <= 0:
            self._noted = None
            self._conversations.clear()
            self._checks.clear()
        elif self._noted is None or now > self._noted:
            self._keep(_ALWAYS if self._noted is None else self._over, now - timedelta(seconds=longest))
            self._noted = now

    def _keep(self, since: datetime, kept_from: datetime) -> None:
        for repository in self._state.repositories.values():
            checks = repository.checks
            history = self._checks[repository.node_id]
            history.note(since, checks_fingerprint(checks), partial(copy_checks, checks), kept_from)
            for pull in repository.pulls.values():
                told = self._conversations[pull.node_id]
                told.note(since, conversation_fingerprint(pull), partial(copy_conversation, pull), kept_from)


@dataclass
class _Late(View):
    """What was there at a moment; unless it is ``whole``, only comments and threads are seen late."""

    conversations: defaultdict[str, _History[Conversation]]
    history: defaultdict[str, _History[Checks]]
    moment: datetime
    whole: bool

    def comments(self, pull: Pull) -> Sequence[IssueComment]:
        return self._conversation(pull).comments

    def reviews(self, pull: Pull) -> Sequence[Review]:
        return self._conversation(pull).reviews if self.whole else pull.reviews

    def threads(self, pull: Pull) -> Sequence[ReviewThread]:
        return self._conversation(pull).threads

    def checks(self, repository: CheckedRepository) -> Checks:
        if not self.whole:
            return repository.checks
        return self.history[repository.node_id].at(self.moment) or Checks()

    def knows(self, repository: GitRepository, sha: str) -> bool:
        return not self.whole or repository.written.get(sha, _ALWAYS) <= self.moment

    def node(self, node: object) -> object:
        match node:
            case IssueComment():
                return self._found(node, self.comments(_pull(node)))
            case Review():
                return self._found(node, self.reviews(_pull(node)))
            case ReviewThread():
                return self._found(node, self.threads(_pull(node)))
            case ReviewComment():
                told = [one for thread in self.threads(_pull(node)) for one in thread.comments]
                return self._found(node, told)
            case _:
                return node

    def _conversation(self, pull: Pull) -> Conversation:
        return self.conversations[pull.node_id].at(self.moment) or Conversation()

    def _found(
        self,
        node: IssueComment | Review | ReviewThread | ReviewComment,
        told: Sequence[IssueComment | Review | ReviewThread | ReviewComment],
    ) -> object:
        return next((one for one in told if one.id == node.id), None)


def _pull(written: IssueComment | Review | ReviewThread | ReviewComment) -> Pull:
    pull = written.pull
    if not isinstance(pull, Pull):
        raise TypeError(f"{written} stands on no pull request")
    return pull
