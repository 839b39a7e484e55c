"""What a pull request changes, at which commits (List pull requests files, List commits on a pull request)."""

from pydantic import TypeAdapter

from autoswe.contracts.model import Count, Sha
from autoswe.github.git.source import Objects
from autoswe.github.transport.api import Api
from autoswe.github.transport.installation import Installation, InstallationResource
from autoswe.github.transport.shape import GraphqlShape, Shape
from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import Changes, CommitRow
from autoswe.rules.github.facts import TreeEntry
from autoswe.rules.review.diff.changed_files import SUBMODULE, ChangedFile, Side
from autoswe.rules.review.pulls.candidate import Diff
from autoswe.rules.review.pulls.selection import MAX_FILES

LARGEST_TEXT_BYTES = 1 << 20
"""The largest file whose text is read."""

MOST_COMMITS = 250
"""How many commits the host lists of a pull request; there may be more."""

_TREES_KEPT = 2


class _File(Shape):
    filename: str
    status: str
    additions: Count
    deletions: Count
    patch: str | None = None
    previous_filename: str | None = None


class _Verification(Shape):
    verified: bool


class _GitCommit(Shape):
    message: str
    verification: _Verification | None = None


class _Author(Shape):
    login: str | None = None


class _Commit(Shape):
    sha: Sha
    commit: _GitCommit
    author: _Author | None


class _Ends(GraphqlShape):
    head_ref_oid: Sha
    base_ref_oid: Sha


class _Repository(GraphqlShape):
    pull_request: _Ends


class _Data(GraphqlShape):
    repository: _Repository


class _Answer(GraphqlShape):
    data: _Data


_FILES = TypeAdapter(list[_File])
_COMMITS = TypeAdapter(list[_Commit])
_ENDS = TypeAdapter(_Answer)


class ChangedContent(InstallationResource):
    """Reads files, commits and both sides of a pull request."""

    def __init__(self, installation: Installation) -> None:
        super().__init__(installation)
        self._trees: dict[tuple[str, str], dict[str, TreeEntry]] = {}

    def changes(self, repository: str, number: int) -> Changes:
        """Read the changed files, and after the last of them where head and base stand.

        Head and base are read as the state's are, so that they can be compared with those.
        """
        api = self._installation.repository(repository)
        files = _changed_files(api, number)
        ends = api.query(_ENDS, "pull_ends", number=number).data.repository.pull_request
        patch_bytes = sum(len(file.patch.encode()) for file in files if file.patch is not None)
        return Changes(files, Diff(len(files), patch_bytes, ends.head_ref_oid, ends.base_ref_oid))

    def commits(self, repository: str, number: int) -> tuple[CommitRow, ...]:
        """List every commit, oldest first."""
        return read_commits(self._installation.repository(repository), number)

    def file_at(self, repository: str, sha: str, path: str, *, with_text: bool = True) -> Side | None:
        """Read a file of a commit; ``None`` when the commit has none there. Its mode alone costs no call of its own."""
        objects = Objects(self._installation.repository(repository))
        entry = self._tree(objects, repository, sha).get(path)
        if entry is None:
            return None
        if not with_text or entry.mode == SUBMODULE or entry.size is None or entry.size > LARGEST_TEXT_BYTES:
            return Side(entry.mode, None)
        return Side(entry.mode, _text(objects.blob(entry.sha, LARGEST_TEXT_BYTES)))

    def _tree(self, objects: Objects, repository: str, sha: str) -> dict[str, TreeEntry]:
        place = repository.casefold(), sha
        if place not in self._trees:
            tree = objects.tree(sha)
            if tree.truncated:
                raise PartialAnswer(f"the tree of {sha} has more files than the host lists")
            # Both sides of one pull request; the next one has other commits.
            while len(self._trees) >= _TREES_KEPT:
                del self._trees[next(iter(self._trees))]
            self._trees[place] = {entry.path: entry for entry in tree.entries}
        return self._trees[place]


def read_commits(api: Api, number: int) -> tuple[CommitRow, ...]:
    """List every commit of a pull request, oldest first; ``PartialAnswer`` where the host may leave some out."""
    commits = [commit for page in api.pages(_COMMITS, "pulls", number, "commits") for commit in page]
    if len(commits) >= MOST_COMMITS:
        raise PartialAnswer(f"pull request {number} has {MOST_COMMITS} commits or more, of which no more are listed")
    return tuple(map(_commit, commits))


def _changed_files(api: Api, number: int) -> tuple[ChangedFile, ...]:
    files: list[ChangedFile] = []
    for page in api.pages(_FILES, "pulls", number, "files"):
        files += map(_changed_file, page)
        if len(files) > MAX_FILES:
            break
    return tuple(files)


def _changed_file(read: _File) -> ChangedFile:
    return ChangedFile(
        path=read.filename,
        status=read.status,
        additions=read.additions,
        deletions=read.deletions,
        patch=read.patch,
        previous_path=read.previous_filename,
    )


def _commit(read: _Commit) -> CommitRow:
    verification = read.commit.verification
    return CommitRow(
        sha=read.sha,
        message=read.commit.message,
        verified=verification is not None and verification.verified,
        author=read.author.login if read.author else None,
    )


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
