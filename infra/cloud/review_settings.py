"""What an operator decides about the scheduled reviews of one deployment (review §9)."""

import re
from dataclasses import dataclass

from infra.cloud.context_values import (
    Context,
    SettingRefused,
    read_choice,
    read_command,
    read_domains,
    read_list,
    read_pattern,
    read_switch,
)

REVIEWERS = ("rules", "copilot", "claude", "codex", "command")
"""The reviewers, each with a review task's image of its own."""

_WITHOUT_MODEL = "rules"
_OF_OTHER_WORDS = ("claude", "codex")
"""The reviewers that do not know the model which a run asks for when it names none (review §10.3)."""

_CONNECTION = re.compile(r"[A-Za-z0-9_-]{1,100}")
_ORGANISATION = re.compile(r"[A-Za-z0-9](-?[A-Za-z0-9]){0,38}")
_REPOSITORY = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9_.-]{1,100}")
_MODEL = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")


@dataclass(frozen=True)
class ReviewSettings:
    """The reviews of one deployment.

    ``reviewer`` is the adapter that reviews, ``command`` the program of the reviewer ``command``, ``model_domains``
    what it must reach. ``connection`` names the review App's connection: no other App's key can be read for reviews.
    ``exclusions`` are repositories that a run leaves out when it does not name its own. ``organisation`` is what the
    schedules review; without one there are none. ``model`` is the one they ask for, empty for a run's own default, and
    ``on_schedule`` says whether they start anything.
    """

    reviewer: str
    command: tuple[str, ...] = ()
    model_domains: tuple[str, ...] = ()
    connection: str = "review"
    exclusions: tuple[str, ...] = ()
    organisation: str = ""
    model: str = ""
    on_schedule: bool = False

    @property
    def asks_a_model(self) -> bool:
        """Tell whether the deployment keeps a credential for the reviewer."""
        return self.reviewer != _WITHOUT_MODEL


def read_review_settings(context: Context) -> ReviewSettings:
    """Read them; raises ``SettingRefused`` for the first value that will not do."""
    settings = ReviewSettings(
        reviewer=read_choice(context, "review_agent", REVIEWERS),
        command=read_command(context, "review_agent_command"),
        model_domains=read_domains(context, "review_model_domains"),
        connection=read_pattern(context, "review_connection", _CONNECTION, "name of a connection") or "review",
        exclusions=_exclusions(context),
        organisation=read_pattern(context, "review_org", _ORGANISATION, "name of an organisation"),
        model=read_pattern(context, "review_model", _MODEL, "name of a model"),
        on_schedule=read_switch(context, "review_schedule"),
    )
    _judge_reviewer(settings)
    if settings.on_schedule and not settings.organisation:
        raise SettingRefused("the context value review_org is missing: the schedules are told what to review")
    return settings


def _judge_reviewer(settings: ReviewSettings) -> None:
    reviewer = settings.reviewer
    if (reviewer == "command") != bool(settings.command):
        raise SettingRefused("the context value review_agent_command goes with the reviewer command, and with no other")
    if settings.asks_a_model and not settings.model_domains:
        raise SettingRefused(
            f"the context value review_model_domains is missing: {reviewer} must reach its model's service"
        )
    if not settings.asks_a_model and (settings.model or settings.model_domains):
        raise SettingRefused(
            "the context values review_model and review_model_domains are of no use to rules, which asks none"
        )
    if reviewer in _OF_OTHER_WORDS and settings.organisation and not settings.model:
        raise SettingRefused(f"the context value review_model is missing: {reviewer} is told which one to ask")


def _exclusions(context: Context) -> tuple[str, ...]:
    names = read_list(context, "review_exclusions")
    for name in names:
        if not isinstance(name, str) or not _REPOSITORY.fullmatch(name):
            raise SettingRefused(
                f"the context value review_exclusions holds {name!r}: it takes names of repositories without an owner"
            )
    return tuple(names)
