"""The agent without a model: applies the reviewers' suggestion blocks and says of every other remark what it needs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from autoswe.contracts.feedback.fixing import (
    MAX_FILE_BYTES,
    BriefSuggestion,
    BriefThread,
    FixerBrief,
    Outcome,
    ThreadOutcome,
    ThreadOutcomeKind,
)
from autoswe.rules.text.suggestions import SuggestionEdit, SuggestionReason, apply_suggestions
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import NotAFile, Workspace

NAME = "suggestions"

APPLIED = "Applied the suggested change."
NO_SUGGESTION = "This remark needs a person: it holds no suggestion that can be applied as it stands."
NOT_APPLIED = "The suggestion needs a person: {why}."
PARTLY_APPLIED = "Only some of the suggestions were applied; the rest needs a person: {why}."

UNREACHABLE = "the file is missing, too large, or not a regular file"
UNKNOWN = "it cannot be used as it stands"

WORDS: Mapping[SuggestionReason, str] = {
    SuggestionReason.AMBIGUOUS: "the comment holds several suggestions",
    SuggestionReason.UNCLOSED_FENCE: "its code block is never closed",
    SuggestionReason.TILDE_FENCE: "its code block is not fenced with backticks",
    SuggestionReason.NOT_TEXT: "the file or the suggestion is not plain UTF-8 text",
    SuggestionReason.UNSUBMITTED: "its review is not submitted",
    SuggestionReason.RESOLVED: "its thread is resolved",
    SuggestionReason.OUTDATED: "its thread is outdated",
    SuggestionReason.FILE_LEVEL: "it is not about lines of the file as it is now",
    SuggestionReason.WRONG_SIDE: "it is about deleted lines",
    SuggestionReason.ANCHOR_UNKNOWN: "the lines it is about could not be read",
    SuggestionReason.ANCHOR_CHANGED: "the lines it is about have changed since",
    SuggestionReason.PROTECTED_PATH: "it is about a workflow or an action",
    SuggestionReason.OUT_OF_RANGE: "the file has no such lines",
    SuggestionReason.OVERLAP: "another suggestion changes the same lines",
    SuggestionReason.NO_OP: "the lines read like that already",
}
"""Each reason of the suggestion rules in plain words."""


def apply_brief(workspace: Workspace, brief: FixerBrief) -> Outcome:
    """Apply every suggestion of ``brief``, file by file, and answer for each thread in the brief's order.

    A thread is addressed when all its suggestions were applied. One bad file costs only its own threads.
    ``TaskFailed`` when a suggestion belongs to no thread of the brief.
    """
    labels = {thread.label for thread in brief.threads}
    by_path: dict[str, list[BriefSuggestion]] = defaultdict(list)
    for suggestion in brief.suggestions:
        if suggestion.label not in labels:
            raise TaskFailed(f"the brief holds a suggestion for {suggestion.label}, which is none of its threads")
        by_path[suggestion.path].append(suggestion)
    refusals: dict[str, str] = {}
    places: dict[str, set[str]] = defaultdict(set)
    for path, suggestions in by_path.items():
        applied, refused = _apply_to_file(workspace, path, suggestions)
        refusals |= refused
        for label in applied:
            places[label].add(path)
    return Outcome(
        agent=NAME,
        threads=tuple(
            _judge(thread, refusals.get(thread.label), sorted(places[thread.label])) for thread in brief.threads
        ),
    )


def _apply_to_file(
    workspace: Workspace, path: str, suggestions: Sequence[BriefSuggestion]
) -> tuple[Iterable[str], Mapping[str, str]]:
    """Apply suggestions to one file; returns the labels with one that was applied, and of one that was not, why."""
    unreachable = {suggestion.label: UNREACHABLE for suggestion in suggestions}
    try:
        before = workspace.read(path, MAX_FILE_BYTES)
        result = apply_suggestions(
            before.content,
            [SuggestionEdit(each.label, each.start_line, each.end_line, each.lines) for each in suggestions],
        )
        if len(result.content) > MAX_FILE_BYTES:
            return (), unreachable
        if result.applied:
            workspace.replace(path, result.content, executable=before.executable)
    except NotAFile:
        return (), unreachable
    return result.applied, {label: WORDS[reason] for label, reason in result.refused}


def _judge(thread: BriefThread, refusal: str | None, places: Sequence[str]) -> ThreadOutcome:
    why = refusal or _say_why(thread.unusable)
    if why is not None:
        note = (PARTLY_APPLIED if places else NOT_APPLIED).format(why=why)
    else:
        note = APPLIED if places else NO_SUGGESTION
    addressed = bool(places) and why is None
    return ThreadOutcome(
        label=thread.label,
        outcome=ThreadOutcomeKind.ADDRESSED if addressed else ThreadOutcomeKind.NEEDS_PERSON,
        note=note,
        places=tuple(places),
    )


def _say_why(unusable: str | None) -> str | None:
    if unusable is None:
        return None
    try:
        return WORDS[SuggestionReason(unusable)]
    except ValueError:
        return UNKNOWN
