"""A repository with its pull requests: all that people do in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull

PushHook = Callable[["Repository", str, str], None]


@dataclass(eq=False, kw_only=True)
class Repository(CheckedRepository):
    """A repository of the host, among ``all_repositories``: a pull request may come from any of them into any."""

    all_repositories: Mapping[str, Repository] = field(repr=False)
    pulls: dict[int, Pull] = field(default_factory=dict)
    push_hooks: list[PushHook] = field(default_factory=list)

    @property
    def open_pulls(self) -> Sequence[Pull]:
        """The pull requests that wait to be merged into it."""
        return [pull for pull in self.pulls.values() if pull.is_open]

    def branch_moved(self, branch: str, sha: str | None, by: Account) -> None:
        """Let pull requests from a branch follow it, or close with it, and then call the push hooks."""
        for pull in self._open_pulls_from(branch):
            if sha is None:
                pull.close(by=by)
            elif sha != pull.head_sha:
                pull.move_head(sha, by)
        if sha is not None:
            for hook in self.push_hooks:
                self._call_later(hook, branch, sha)

    def on_push(self, hook: PushHook) -> None:
        """Call ``hook(repository, branch, sha)`` after each commit that lands on a branch, whoever pushed it."""
        self.push_hooks.append(hook)

    def open_pull(
        self,
        head: str,
        base: str,
        author: Account,
        title: str,
        body: str = "",
        head_repository: CheckedRepository | None = None,
        *,
        draft: bool = False,
    ) -> Pull:
        """Open a pull request from a branch of this repository or of a fork."""
        source = head_repository or self
        with self.state.change():
            now = self.state.now()
            pull = Pull(
                id=self.state.sequences.next("pull"),
                number=len(self.pulls) + 1,
                repository=self,
                author=author,
                title=title,
                body=body,
                head_ref=head,
                head_repository=source,
                head_sha=source.tip(head),
                base_ref=base,
                base_sha=self.tip(base),
                created_at=now,
                updated_at=now,
                draft=draft,
            )
            self.pulls[pull.number] = pull
            self.state.register(pull.node_id, pull)
            pull.pin_head()
            pull.announce("opened", author)
            return pull

    def pull(self, number: int) -> Pull:
        """Return a pull request; ValueError when there is none of that number."""
        if number not in self.pulls:
            raise ValueError(f"{self.full_name} has no pull request #{number}")
        return self.pulls[number]

    def _open_pulls_from(self, branch: str) -> list[Pull]:
        return [
            pull
            for target in self.all_repositories.values()
            for pull in target.open_pulls
            if pull.head_repository is self and pull.head_ref == branch
        ]

    def _call_later(self, hook: PushHook, branch: str, sha: str) -> None:
        self.state.afterwards(lambda: hook(self, branch, sha))
