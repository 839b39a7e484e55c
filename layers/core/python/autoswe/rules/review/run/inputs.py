"""What a run is asked to do: every input typed, and every bad value told in one sentence (review §9)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from autoswe.rules.review.pulls.pull_names import LARGEST_NUMBER, PullName, read_pull_names, read_repository_names
from autoswe.rules.review.pulls.selection import MATRIX_LIMIT, Policy
from autoswe.rules.review.verdict.tiers import Tier

DEFAULT_MODEL = "claude-opus-5.5"
MODELS: Mapping[str, str] = {
    "Claude Opus 5.5": "claude-opus-5.5",
    "Claude Fable 5.1": "claude-fable-5.1",
    "Claude Sonnet 5.5": "claude-sonnet-5.5",
    "GPT-6 Astra": "gpt-6-astra",
}
"""The models that a person is offered, and what the program calls them (review §9.2)."""

APPROVE_TIERS: Mapping[str, frozenset[Tier]] = {
    "trivial,low-risk": frozenset({Tier.TRIVIAL, Tier.LOW_RISK}),
    "trivial": frozenset({Tier.TRIVIAL}),
    "none": frozenset(),
}

_ORG = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
_MODEL = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")
_MAX_SHOWN = 80


@dataclass(frozen=True)
class ReviewInputs:
    """One run's inputs.

    ``approve_tiers`` are those the run may approve. ``pull_requests`` replace the scan when there are any;
    ``repositories`` restrict it. ``exclude_repos`` is absent when the installation's own list counts; its names and
    ``repositories`` are as they were written. ``max_pull_requests`` is 0 to 256, and 0 means 256;
    ``max_concurrent_agents`` is 1 to 30, ``max_runtime_minutes`` 1 to 120.
    """

    org: str
    dry_run: bool = True
    model: str = DEFAULT_MODEL
    approve_tiers: frozenset[Tier] = APPROVE_TIERS["trivial,low-risk"]
    pull_requests: tuple[PullName, ...] = ()
    repositories: tuple[str, ...] = ()
    exclude_repos: tuple[str, ...] | None = None
    max_pull_requests: int = 20
    max_concurrent_agents: int = 5
    max_runtime_minutes: int = 20
    reassess: bool = False
    skip_agent: bool = False

    def read_scope(self) -> tuple[str, ...]:
        """Name the repositories that the token for reading is for, each once; none means all of the organisation's."""
        named: dict[str, str] = {}
        for pull in self.pull_requests:
            named.setdefault(pull.repo_name.casefold(), pull.repo_name)
        return tuple(named.values()) or self.repositories

    def policy(self, default_exclusions: Iterable[str]) -> Policy:
        """Say what the run selects by; ``default_exclusions`` is the installation's own list."""
        excluded = default_exclusions if self.exclude_repos is None else self.exclude_repos
        return Policy(
            org=self.org,
            excluded=frozenset(name.casefold() for name in excluded),
            named=frozenset((pull.repository.casefold(), pull.number) for pull in self.pull_requests),
            dry_run=self.dry_run,
            reassess=self.reassess,
        )


@dataclass(frozen=True)
class BadInput:
    """One input that cannot be used: its name, its value as text (cut when long), and what is allowed."""

    name: str
    value: str
    allowed: str

    @property
    def sentence(self) -> str:
        """Say all of it."""
        return f"{self.name} cannot be {self.value}: it must be {self.allowed}"


@dataclass(frozen=True)
class BadInputs:
    """Every input that cannot be used."""

    found: tuple[BadInput, ...]


class _Bad(Exception):
    def __init__(self, allowed: str) -> None:
        super().__init__(allowed)
        self.allowed = allowed


T = TypeVar("T")
_Reader = Callable[[object], Any]


def read_inputs(given: Mapping[str, object], *, host: str = "github.com", has_app: bool) -> ReviewInputs | BadInputs:
    """Type every input that was given; what was not given has its default.

    ``host`` is the web host that addresses of pull requests may name. ``has_app`` says whether the review App is
    configured: without it no run can be live.
    """
    read: dict[str, Any] = {}
    bad = [_unknown(name, given[name]) for name in given if name not in _READERS]
    for name, reader in _READERS.items():
        if name in given or name == "org":
            value = given.get(name)
            try:
                read[name] = reader(value)
            except _Bad as wrong:
                bad.append(BadInput(name, _shown(value), wrong.allowed))
    bad += _bad_pull_requests(read, host) if "org" in read else ()
    if read.get("dry_run") is False and not has_app:
        bad.append(BadInput("dry_run", "false", "true while no review App is configured"))
    return BadInputs(tuple(bad)) if bad else ReviewInputs(**read)


def _bad_pull_requests(read: dict[str, Any], host: str) -> Iterator[BadInput]:
    """Read the named pull requests, which only make sense within the organisation."""
    if "pull_requests" not in read:
        return
    named = read_pull_names(read["pull_requests"], org=read["org"], host=host)
    read["pull_requests"] = named.pulls
    for wrong in named.wrong:
        yield BadInput("pull_requests", _shown(wrong), _allowed_pulls(read["org"], host))
    if len(named.pulls) > MATRIX_LIMIT:
        yield BadInput("pull_requests", f"{len(named.pulls)} names", f"at most {MATRIX_LIMIT} pull requests")


def _allowed_pulls(org: str, host: str) -> str:
    return (
        f"pull requests of {org}, each as repo#N, {org}/repo#N, repo/pull/N, {org}/repo/pull/N or "
        f"https://{host}/{org}/repo/pull/N with N from 1 to {LARGEST_NUMBER}, separated by commas or spaces"
    )


def _shown(value: object) -> str:
    shown = ascii(value)
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}..."


def _unknown(name: str, value: object) -> BadInput:
    return BadInput(_shown(name), _shown(value), f"one of the inputs {', '.join(_READERS)}")


def _text(allowed: str, pattern: re.Pattern[str]) -> _Reader:
    def read(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise _Bad(allowed)
        return value

    return read


def _model(value: object) -> str:
    if isinstance(value, str):
        identifier = MODELS.get(value, value)
        if _MODEL.fullmatch(identifier):
            return identifier
    identifier_form = "lower-case letters, digits, dots and hyphens, a letter or digit first"
    raise _Bad(f"one of {', '.join(MODELS)}, or an identifier of {identifier_form}")


def _tiers(value: object) -> frozenset[Tier]:
    if isinstance(value, str) and value in APPROVE_TIERS:
        return APPROVE_TIERS[value]
    raise _Bad(f"one of {' or '.join(APPROVE_TIERS)}")


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _Bad("true or false")


def _whole(least: int, most: int) -> _Reader:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _Bad(f"a whole number from {least} to {most}")
        return value

    return read


def _unread_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise _Bad("a text")


def _names(value: object) -> tuple[str, ...]:
    names = read_repository_names(value) if isinstance(value, str) else None
    if names is None:
        raise _Bad("names of repositories without their owner, separated by commas or spaces")
    return names


_READERS: Mapping[str, _Reader] = {
    "org": _text("the name of an organisation", _ORG),
    "dry_run": _truth,
    "model": _model,
    "approve_tiers": _tiers,
    "pull_requests": _unread_text,
    "repositories": _names,
    "exclude_repos": lambda value: _names(value) or None,
    "max_pull_requests": _whole(0, MATRIX_LIMIT),
    "max_concurrent_agents": _whole(1, 30),
    "max_runtime_minutes": _whole(1, 120),
    "reassess": _truth,
    "skip_agent": _truth,
}
