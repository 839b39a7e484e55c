"""One bare git repository: objects and refs, through git's own plumbing.

Objects never change, so whatever object ids alone determine is remembered; refs are read afresh each time.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infra.local.github_host.git.objects import Commit, GitObject, TreeEntry, parse_commit

ZERO_SHA = "0" * 40
REF_NAME = re.compile(r"refs(/[^\s~^:?*\[\\/]+)+")


class GitFailure(Exception):
    """Git refused a plumbing command; the text is git's own complaint."""


@dataclass(frozen=True)
class RefUpdate:
    """Move ``ref`` to ``after`` if it stands at ``before``; forty zeros mean that it does not exist."""

    ref: str
    before: str
    after: str


def _environment() -> dict[str, str]:
    """Keep the machine's own git configuration and identity out of the host's repositories."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ATTR_NOSYSTEM": "1",
    }


class GitStore:
    """A bare repository on disk; close it to end the reader process it keeps."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._remembered: dict[tuple[str, ...], bytes] = {}
        self._reader: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._reading = threading.Lock()

    @classmethod
    def create(cls, path: Path, branch: str) -> GitStore:
        """Make an empty repository whose HEAD names ``branch``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        _git(["init", "--quiet", "--bare", f"--initial-branch={branch}", "--template=", str(path)])
        return cls(path)

    @classmethod
    def clone(cls, path: Path, source: Path) -> GitStore:
        """Copy a repository with all its branches, whoever owns it; what is not committed there is not copied."""
        path.parent.mkdir(parents=True, exist_ok=True)
        _git(
            [
                "-c",
                "safe.directory=*",
                "clone",
                "--quiet",
                "--bare",
                "--no-hardlinks",
                "--template=",
                str(source),
                str(path),
            ]
        )
        return cls(path)

    def close(self) -> None:
        """End the reader process; whoever still asks, such as a caller that was cut off, gets GitFailure."""
        with self._reading:
            self._closed = True
            if self._reader is not None:
                self._reader.communicate()
                self._reader = None

    def run(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
        """Run a git command here and return its output; raise GitFailure when it fails."""
        return _git(["--git-dir", str(self.path), *arguments], stdin, environment)

    def determined(self, *arguments: str) -> bytes:
        """Run a command whose output the object ids in its arguments determine, once."""
        if arguments not in self._remembered:
            self._remembered[arguments] = self.run(*arguments)
        return self._remembered[arguments]

    # Objects

    def find(self, name: str) -> GitObject | None:
        """Look up anything git can name: an object id, a ref, ``rev:path``, ``rev^{commit}``."""
        if "\n" in name:
            return None
        with self._reading:
            if self._closed:
                raise GitFailure("the store is closed")
            if self._reader is None:
                self._reader = subprocess.Popen(
                    ["git", "--git-dir", str(self.path), "cat-file", "--batch"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=_environment(),
                )
            stdin, stdout = self._reader.stdin, self._reader.stdout
            if stdin is None or stdout is None:
                raise GitFailure("the reader process has no pipes")
            stdin.write(f"{name}\n".encode())
            stdin.flush()
            answer = stdout.readline().decode().rstrip("\n").rsplit(" ", 2)
            if len(answer) != 3 or not answer[2].isdigit():
                return None
            sha, kind, size = answer
            content = stdout.read(int(size))
            stdout.read(1)
            return GitObject(sha, kind, content)

    def ref(self, name: str) -> GitObject | None:
        """Look up what a ref stands at by its full name, and nothing that merely names a revision."""
        return self.find(name) if REF_NAME.fullmatch(name) else None

    def commit(self, name: str) -> Commit | None:
        """Look up a commit by id, ref or tag."""
        found = self.find(f"{name}^{{commit}}")
        return None if found is None else parse_commit(found.sha, found.content)

    def tip(self, branch: str) -> str | None:
        """Return the commit a branch stands at, None when there is no such branch."""
        found = self.ref(f"refs/heads/{branch}")
        return None if found is None else found.sha

    def tree(self, sha: str, *, recursive: bool) -> list[TreeEntry]:
        """List a tree; ``recursive`` lists what lies below it too, directories included."""
        flags = ["-r", "-t"] if recursive else []
        return [
            _tree_entry(line)
            for line in self.determined("ls-tree", "-l", "-z", *flags, sha).decode(errors="surrogateescape").split("\0")
            if line
        ]

    def write_blob(self, content: bytes) -> str:
        """Store a blob and return its id."""
        return self.run("hash-object", "-w", "--stdin", stdin=content).decode().strip()

    def write_commit(self, text: str) -> str:
        """Store a commit's text and return its id."""
        return self.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode()).decode().strip()

    def write_tree(self, base: str | None, entries: Iterable[TreeEntry], removed: Iterable[str]) -> str:
        """Store the tree that ``base`` becomes with these files set and those removed, and return its id."""
        lines = [f"0 {ZERO_SHA}\t{path}" for path in removed]
        lines += [f"{entry.mode} {entry.sha}\t{entry.path}" for entry in entries]
        with tempfile.TemporaryDirectory() as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            if base is not None:
                self.run("read-tree", base, environment=index)
            text = "".join(f"{line}\0" for line in lines).encode(errors="surrogateescape")
            self.run("update-index", "--add", "--replace", "-z", "--index-info", stdin=text, environment=index)
            return self.run("write-tree", environment=index).decode().strip()

    # Refs

    def head_branch(self) -> str | None:
        """Return the branch that HEAD names, None when it names a commit instead."""
        kind, _, name = (self.path / "HEAD").read_text(encoding="utf-8").strip().partition(" refs/heads/")
        return name if kind == "ref:" else None

    def refs(self, prefix: str) -> list[tuple[str, str, str]]:
        """List the refs whose full name starts with ``prefix``: name, object id, object type."""
        lines = self.run("for-each-ref", "--format=%(refname) %(objectname) %(objecttype)").decode().splitlines()
        split = (line.split(" ") for line in lines if line.startswith(prefix))
        return [(name, sha, kind) for name, sha, kind in split]

    def update_refs(self, updates: Sequence[RefUpdate]) -> None:
        """Move all these refs or none; GitFailure when one does not stand where its update says."""
        lines = ["start", *(f"update {update.ref} {update.after} {update.before}" for update in updates)]
        self.run("update-ref", "--stdin", stdin="\n".join([*lines, "prepare", "commit", ""]).encode())

    def force_ref(self, ref: str, sha: str) -> None:
        """Set a ref that only the host itself moves, such as ``refs/pull/1/head``."""
        self.run("update-ref", ref, sha)

    def fetch(self, source: GitStore, ref: str, into: str) -> None:
        """Copy a ref of another repository, and all it reaches, to the ref ``into``."""
        self.run("fetch", "--quiet", "--no-tags", str(source.path), f"+{ref}:{into}")

    # History

    def merge_base(self, one: str, other: str) -> str | None:
        """Return a best common ancestor of two commits, None when their histories are unrelated."""
        try:
            return self.determined("merge-base", one, other).decode().strip()
        except GitFailure:
            return None

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Tell whether the one commit is the other or one of its ancestors."""
        return self.merge_base(ancestor, descendant) == ancestor

    def commits_between(self, base: str, head: str) -> list[str]:
        """List what ``head`` reaches and ``base`` does not, oldest first."""
        return self.determined("rev-list", "--reverse", "--topo-order", head, f"^{base}").decode().split()

    def archive(self, sha: str, prefix: str) -> bytes:
        """Pack a commit's files as a gzipped tar file, honouring the tree's own export attributes."""
        return self.run("archive", "--format=tar.gz", f"--prefix={prefix}/", sha)


def _git(arguments: Sequence[str], stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
    done = subprocess.run(
        ["git", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**_environment(), **(environment or {})},
    )
    if done.returncode != 0:
        raise GitFailure(done.stderr.decode(errors="replace").strip() or f"git {arguments[0]} failed")
    return done.stdout


def _tree_entry(line: str) -> TreeEntry:
    facts, _, path = line.partition("\t")
    mode, kind, sha, size = facts.split()
    return TreeEntry(path, mode, kind, sha, None if size == "-" else int(size))
