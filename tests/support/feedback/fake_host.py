"""A host in memory: one repository, one pull request, and a log of what was asked."""

import io
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import BinaryIO

from autoswe.ports.github import Gone, NewEntry, Refused, Unavailable
from autoswe.rules.github.facts import (
    Author,
    Branch,
    Checks,
    CiEvidence,
    CiReading,
    Edit,
    Feedback,
    Permission,
    PostedComment,
    Pull,
    PullState,
    Reporter,
    Repository,
    RequiredCheck,
    Text,
    Thread,
    Tree,
    TreeEntry,
)
from autoswe.rules.records.triggers import TriggerSource
from autoswe.rules.source.archive import git_blob_id

HEAD, BASE, HEAD_TREE, BASE_TREE = "a" * 40, "b" * 40, "1a" * 20, "1b" * 20
REVIEWER = Author(5, "reviewer", is_bot=False)
FILE = b"A\nB\nC\n"


@dataclass
class FakeHost:
    """Everything that any step asks; ``asked`` lists the methods in order, ``before`` acts just before a named one."""

    pull_now: Pull = field(default_factory=lambda: Pull(7, True, HEAD, "feature", 10, BASE, "main", 10, 99))
    repository_now: Repository = field(default_factory=lambda: Repository(10, "R_10", "main", archived=False))
    signed: bool = True
    branch_now: Branch | None = field(default_factory=lambda: Branch(HEAD, protected=False, rule_types=()))
    trigger: Text | None = field(default_factory=lambda: Text(42, "PRR_42", REVIEWER, "please", "CHANGES_REQUESTED"))
    trigger_edit: Edit | None = None
    permissions: dict[str, Permission] = field(default_factory=lambda: {"reviewer": Permission.WRITE})
    threads_now: tuple[Thread, ...] = ()
    refs: dict[str, str] = field(default_factory=lambda: {"heads/feature": HEAD})
    trees: dict[str, dict[str, tuple[str, bytes]]] = field(
        default_factory=lambda: {
            HEAD_TREE: {"a.py": ("100644", FILE), "run.sh": ("100755", b"true\n")},
            BASE_TREE: {"Makefile": ("100644", b"test:\n\ttrue\n")},
        }
    )
    commits: dict[str, str] = field(default_factory=lambda: {HEAD: HEAD_TREE, BASE: BASE_TREE})
    blobs: dict[str, bytes] = field(default_factory=dict)
    archived: dict[str, bytes] | None = None
    archive_bytes: bytes | None = None
    ancestors: dict[str, set[str]] = field(default_factory=dict)
    truncated: bool = False
    loses_entries: bool = False
    replies_since: datetime | None = None
    lost_replies: set[str] = field(default_factory=set)
    checks_now: Checks = field(default_factory=lambda: Checks(None, (), ()))
    evidence_now: CiEvidence = field(default_factory=lambda: CiEvidence((), (), (), 0))
    required_now: tuple[RequiredCheck, ...] | None = ()
    reported_before: frozenset[Reporter] | None = frozenset()
    discussion: list[PostedComment] = field(default_factory=list)
    inline: list[PostedComment] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    before: dict[str, Callable[[], None]] = field(default_factory=dict)

    def _ask(self, method: str) -> None:
        self.asked.append(method)
        act = self.before.pop(method, None)
        if act is not None:
            act()

    def pull(self, number: int) -> Pull:
        self._ask("pull")
        return self.pull_now

    def pull_state(self, number: int, beside: str) -> PullState:
        self._ask("pull")
        return PullState(self.pull_now, self.branch_now, self.repository_now, self.refs.get(f"heads/{beside}"))

    def evidence(self, commit_sha: str) -> CiEvidence:
        self._ask("evidence")
        return self.evidence_now

    def text(self, source: TriggerSource, pull_number: int, source_id: int) -> Text | None:
        self._ask("text")
        return self.trigger

    def permission(self, author: Author) -> Permission:
        self._ask("permission")
        return self.permissions.get(author.login, Permission.NONE)

    def feedback(self, pull_number: int, trigger: Text) -> Feedback:
        self._ask("feedback")
        return Feedback(self.threads_now, replace(self.trigger or trigger, edit=self.trigger_edit))

    def tree(self, sha: str) -> Tree:
        self._ask("tree")
        tree_sha = self.commits.get(sha, sha)
        entries = tuple(
            TreeEntry(path, mode, git_blob_id(content), len(content))
            for path, (mode, content) in sorted(self.trees[tree_sha].items())
        )
        return Tree(tree_sha, entries, self.truncated)

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        self._ask("archive")
        if self.archive_bytes is not None:
            into.write(self.archive_bytes)
            return
        files = {path: content for path, (_, content) in self.trees[self.commits[commit_sha]].items()}
        with tarfile.open(fileobj=into, mode="w:gz") as tar:
            for path, content in (files if self.archived is None else self.archived).items():
                member = tarfile.TarInfo(f"octo-widgets-{commit_sha}/{path}")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))

    def blob(self, sha: str, max_bytes: int) -> bytes:
        self._ask("blob")
        known = {git_blob_id(content): content for tree in self.trees.values() for _, content in tree.values()}
        content = {**known, **self.blobs}.get(sha)
        if content is None:
            raise Gone(sha)
        if len(content) > max_bytes:
            raise Refused("too large")
        return content

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        self._ask("texts")
        known = {git_blob_id(content): content for tree in self.trees.values() for _, content in tree.values()}
        return {sha: content for sha in shas if (content := known.get(sha)) is not None and b"\0" not in content}

    def ref(self, name: str) -> str | None:
        self._ask("ref")
        return self.refs.get(name)

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        self._ask("branch_holds")
        tip = self.refs.get(f"heads/{name}")
        return tip == commit_sha or (tip is not None and commit_sha in self.ancestors.get(tip, ()))

    def make_tree(self, base_tree: str, entries: Sequence[NewEntry]) -> str:
        self._ask("make_tree")
        files = dict(self.trees[base_tree])
        if self.loses_entries:
            entries = ()
        for entry in entries:
            if entry.content is None:
                del files[entry.path]
            else:
                files[entry.path] = (entry.mode, entry.content)
        sha = f"{len(self.trees):040x}"
        self.trees[sha] = files
        return sha

    def make_commit(self, message: str, tree: str, parent: str) -> str:
        self._ask("make_commit")
        sha = f"c{len(self.commits):039x}"
        self.commits[sha] = tree
        return sha

    def is_signed(self, commit_sha: str) -> bool:
        self._ask("is_signed")
        return self.signed

    def make_ref(self, name: str, sha: str) -> None:
        self._ask("make_ref")
        if name in self.refs:
            raise Refused("Reference already exists")
        self.refs[name] = sha

    def drop_ref(self, name: str) -> None:
        self._ask("drop_ref")
        self.refs.pop(name, None)

    def move_ref(self, repository_node_id: str, name: str, before: str, after: str) -> None:
        self._ask("move_ref")
        if self.refs.get(name) != before:
            raise Refused("the ref is not where it was")
        self.refs[name] = after
        self._reply("move_ref")

    def _reply(self, method: str) -> None:
        if method in self.lost_replies:
            self.lost_replies.remove(method)
            raise Unavailable("no answer")

    def ci(self, pull_number: int, pushed_sha: str, reviewed_sha: str) -> CiReading:
        self._ask(f"ci {pushed_sha} after {reviewed_sha}")
        return CiReading(self.pull_now.head_sha, self.checks_now, self.required_now, self.reported_before)

    def comments(self, pull_number: int) -> tuple[PostedComment, ...]:
        self._ask("comments")
        return tuple(self.discussion)

    def replies(self, pull_number: int, since: datetime) -> tuple[PostedComment, ...]:
        self._ask("replies")
        self.replies_since = since
        return tuple(self.inline)

    def comment(self, pull_number: int, body: str) -> PostedComment:
        self._ask("comment")
        posted = PostedComment(1000 + len(self.discussion), 77, body)
        self.discussion.append(posted)
        self._reply("comment")
        return posted

    def edit(self, comment_id: int, body: str) -> None:
        self._ask("edit")
        self.discussion = [
            PostedComment(one.comment_id, one.author_id, body) if one.comment_id == comment_id else one
            for one in self.discussion
        ]

    def reply(self, pull_number: int, root_comment_id: int, body: str) -> PostedComment:
        self._ask("reply")
        posted = PostedComment(2000 + len(self.inline), 77, body, reply_to=root_comment_id)
        self.inline.append(posted)
        self._reply("reply")
        return posted

    def writes(self) -> list[str]:
        """List the calls that would have changed something on the host."""
        changing = {
            "make_tree",
            "make_commit",
            "make_ref",
            "drop_ref",
            "move_ref",
            "comment",
            "edit",
            "reply",
        }
        return [method for method in self.asked if method in changing]
