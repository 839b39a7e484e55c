"""Makes the entry of a selected pull request: bounded, pinned to the head and base that were read (review §5.9)."""

from collections.abc import Sequence

from autoswe.contracts.review.selection import ChangedFile, CheckSeen, CommitSeen, ReviewSeen, SelectedPull
from autoswe.contracts.review.sides import FileSides, SideContent, Sides, changed_files
from autoswe.contracts.review.words import KIB, MAX_TITLE_CHARACTERS, MIB
from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import Changes, CommitRow, ListedPull, PullDetails, ScanHost
from autoswe.rules.review.diff import changed_files as rules
from autoswe.rules.review.diff.file_kinds import BOTH_SIDES_READ, file_kind
from autoswe.rules.review.pulls.candidate import Candidate

MAX_PATCH_BYTES = 64 * KIB
MAX_BODY_BYTES = 64 * KIB
MAX_MESSAGE_BYTES = 4 * KIB

MAX_SIDES_TEXT_BYTES = 8 * MIB
"""How much text of both sides is kept for one entry; a side beyond it counts as unread, which no approval survives."""


def select_entry(
    listed: ListedPull, candidate: Candidate, changes: Changes, details: PullDetails, commits: Sequence[CommitRow]
) -> SelectedPull:
    """Make the entry; raises pydantic's ``ValidationError`` for what is beyond the bounds of review §18.1."""
    repo_name = candidate.repository.partition("/")[2]
    return SelectedPull(
        key=f"{repo_name}-{candidate.number}",
        repository=candidate.repository,
        repo_name=repo_name,
        number=candidate.number,
        url=listed.url,
        title=details.title[:MAX_TITLE_CHARACTERS],
        body=cut(details.body, MAX_BODY_BYTES),
        author=details.author or "",
        author_association=details.author_association,
        head_sha=changes.diff.head_sha,
        head_repository=details.head_repository,
        head_ref=details.head_ref,
        base_ref=details.base_ref,
        base_sha=changes.diff.base_sha,
        is_fork=details.is_fork,
        labels=tuple(label[:MAX_TITLE_CHARACTERS] for label in details.labels),
        created_at=details.created_at,
        updated_at=details.updated_at,
        ci="success",
        checks=tuple(
            CheckSeen(name=row.name[:MAX_TITLE_CHARACTERS], status=row.status, conclusion=row.conclusion)
            for row in details.checks
        ),
        reviews=tuple(ReviewSeen(**vars(row)) for row in details.reviews),
        commits=tuple(
            CommitSeen(
                sha=row.sha,
                message=cut(row.message, MAX_MESSAGE_BYTES),
                verified=row.verified,
                author=row.author,
            )
            for row in commits
        ),
        files=tuple(map(_file, changes.files)),
        diff_bytes=changes.diff.patch_bytes,
    )


def cut(text: str, max_bytes: int) -> str:
    """Keep at most ``max_bytes`` bytes of a text, and no part of a character."""
    return text.encode("utf-8", "replace")[:max_bytes].decode("utf-8", "ignore")


def _file(file: rules.ChangedFile) -> ChangedFile:
    patch = None if file.patch is None else cut(file.patch, MAX_PATCH_BYTES)
    return ChangedFile(
        path=file.path,
        status=file.status,
        additions=file.additions,
        deletions=file.deletions,
        previous_path=file.previous_path,
        patch=patch,
        patch_truncated=file.patch_truncated or patch != file.patch,
    )


def read_sides(host: ScanHost, pull: SelectedPull) -> Sides:
    """Read both sides of every changed file: all modes, and the texts of the kinds that are judged whole."""
    room = MAX_SIDES_TEXT_BYTES
    files: list[FileSides] = []
    for file in changed_files(pull.files, None):
        wanted = bool({file_kind(file.path), file_kind(file.old_path)} & BOTH_SIDES_READ)
        base = _read(host, pull.repository, pull.base_sha, file.old_path, wanted) if file.has_base else None
        head = _read(host, pull.repository, pull.head_sha, file.path, wanted) if file.has_head else None
        room -= sum(len((side.text or "").encode()) for side in (base, head) if side is not None and wanted)
        keep = wanted and room >= 0
        files.append(FileSides(path=file.path, base=_content(base, keep=keep), head=_content(head, keep=keep)))
    return Sides(schema=1, base_sha=pull.base_sha, head_sha=pull.head_sha, files=tuple(files))


def _read(host: ScanHost, repository: str, sha: str, path: str, wanted: bool) -> rules.Side | None:
    try:
        return host.file_at(repository, sha, path, with_text=wanted)
    except PartialAnswer:
        # A side that was not read is a veto of its own, and no reason to lose the other entries.
        return None


def _content(side: rules.Side | None, *, keep: bool) -> SideContent | None:
    return None if side is None else SideContent(mode=side.mode, text=side.text if keep else None)
