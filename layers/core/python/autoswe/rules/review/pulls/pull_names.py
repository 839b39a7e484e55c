"""How a person names pull requests and repositories in an input (review §9.4)."""

import re
from dataclasses import dataclass

LARGEST_NUMBER = 2**31 - 1

REPOSITORY_NAME = r"[A-Za-z0-9_.-]{1,100}"
"""How GitHub spells a repository's name, as a regular expression; ``.`` and ``..`` are none."""

_SEPARATORS = re.compile(r"[,\s]+")
_NAME = re.compile(rf"(?!\.{{1,2}}\Z){REPOSITORY_NAME}")
_PULL = re.compile(
    rf"(?:(?P<owner>[A-Za-z0-9-]{{1,100}})/)?(?P<repo>(?!\.{{1,2}}[/#]){REPOSITORY_NAME})(?:/pull/|#)(?P<number>[1-9][0-9]{{0,9}})"
)
_ADDRESS = re.compile(
    rf"https://(?P<host>[^/]+)/(?P<name>[A-Za-z0-9-]{{1,100}}/{REPOSITORY_NAME}/pull/[0-9]+)(?:[/?#]\S*)?"
)


@dataclass(frozen=True)
class PullName:
    """One pull request of the organisation, by its repository's name and its number."""

    org: str
    repo_name: str
    number: int

    @property
    def repository(self) -> str:
        """The repository's full name."""
        return f"{self.org}/{self.repo_name}"

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


@dataclass(frozen=True)
class PullNames:
    """The pull requests that were named, each once and in order, and the names that are none."""

    pulls: tuple[PullName, ...]
    wrong: tuple[str, ...]


def read_pull_names(written: str, *, org: str, host: str) -> PullNames:
    """Read pull requests as ``repo#N``, ``repo/pull/N``, either after ``owner/``, or as an address on the host.

    Commas and white space separate them. An owner other than ``org`` is wrong. An address may go on behind the number.
    """
    pulls: dict[tuple[str, int], PullName] = {}
    wrong: list[str] = []
    for word in _words(written):
        pull = _read(word, org, host)
        if pull is None:
            wrong.append(word)
        else:
            pulls.setdefault((pull.repo_name.casefold(), pull.number), pull)
    return PullNames(tuple(pulls.values()), tuple(wrong))


def read_repository_names(written: str) -> tuple[str, ...] | None:
    """Read names of repositories without their owner, each once and in order; ``None`` when one is none."""
    words = _words(written)
    if not all(map(_NAME.fullmatch, words)):
        return None
    names: dict[str, str] = {}
    for word in words:
        names.setdefault(word.casefold(), word)
    return tuple(names.values())


def _words(written: str) -> list[str]:
    return [word for word in _SEPARATORS.split(written) if word]


def _read(word: str, org: str, host: str) -> PullName | None:
    address = _ADDRESS.fullmatch(word)
    if address is not None and address["host"].casefold() != host.casefold():
        return None
    named = _PULL.fullmatch(address["name"] if address is not None else word)
    if named is None or (named["owner"] or org).casefold() != org.casefold():
        return None
    number = int(named["number"])
    return PullName(org, named["repo"], number) if number <= LARGEST_NUMBER else None
