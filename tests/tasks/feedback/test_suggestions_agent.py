"""The agent without a model does what reviewers wrote out, and says of everything else that a person must look."""

from io import BytesIO
from pathlib import Path

import pytest

from autoswe.contracts.feedback.fixing import (
    MAX_FILE_BYTES,
    BriefSuggestion,
    BriefThread,
    FixerBrief,
    Outcome,
    ThreadOutcome,
    ThreadOutcomeKind,
)
from autoswe.rules.source.archive import SourceFile, SourceMode
from autoswe.rules.text.suggestions import SuggestionReason
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.suggestions_agent import APPLIED, NO_SUGGESTION, UNKNOWN, UNREACHABLE, WORDS, apply_brief
from tests.tasks.source_trees import pack, text_file


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    files = [
        text_file("a.py", "A\nB\nC\n"),
        text_file("tool", "A\r\nB", SourceMode.EXECUTABLE),
        SourceFile("image", SourceMode.REGULAR, b"\0\n"),
        text_file("link", "a.py", SourceMode.LINK),
    ]
    return Workspace.unpack(BytesIO(pack(*files)), tmp_path / "workspace")


def thread(label: str, unusable: str | None = None) -> BriefThread:
    return BriefThread(label=label, path="a.py", line=2, text="fenced", unusable=unusable)


def suggest(label: str, path: str, line: int, *lines: str, end: int | None = None) -> BriefSuggestion:
    return BriefSuggestion(label=label, path=path, start_line=line, end_line=end or line, lines=lines)


def run(workspace: Workspace, threads: list[BriefThread], *suggestions: BriefSuggestion) -> Outcome:
    brief = FixerBrief(head_sha="1" * 40, trigger_notes=None, threads=tuple(threads), suggestions=suggestions)
    return apply_brief(workspace, brief)


def needs_person(told: ThreadOutcome) -> bool:
    return told.outcome is ThreadOutcomeKind.NEEDS_PERSON


def test_every_suggestion_is_applied_and_its_thread_says_where(workspace: Workspace) -> None:
    outcome = run(
        workspace,
        [thread("T1"), thread("T2"), thread("T3")],
        suggest("T3", "tool", 2, "Z"),
        suggest("T1", "a.py", 3),
        suggest("T2", "a.py", 1, "X", "Y"),
    )
    assert workspace.read("a.py", 99).content == b"X\nY\nB\n"
    assert workspace.read("tool", 99).content == b"A\r\nZ"
    assert workspace.read("tool", 99).executable
    assert outcome.agent == "suggestions"
    assert outcome.threads == tuple(
        ThreadOutcome(label=label, outcome=ThreadOutcomeKind.ADDRESSED, note=APPLIED, places=(path,))
        for label, path in (("T1", "a.py"), ("T2", "a.py"), ("T3", "tool"))
    )


def test_a_remark_without_a_suggestion_needs_a_person(workspace: Workspace) -> None:
    [told] = run(workspace, [thread("T1")]).threads
    assert (told.outcome, told.note, told.places) == (ThreadOutcomeKind.NEEDS_PERSON, NO_SUGGESTION, ())
    assert NO_SUGGESTION.startswith("This remark needs a person")


def test_every_reason_of_the_suggestion_rules_has_plain_words() -> None:
    assert set(WORDS) == set(SuggestionReason)
    assert len(set(WORDS.values())) == len(WORDS)


@pytest.mark.parametrize("reason", list(SuggestionReason))
def test_an_unusable_suggestion_needs_a_person_and_its_reason_is_named(
    workspace: Workspace, reason: SuggestionReason
) -> None:
    [told] = run(workspace, [thread("T1", unusable=reason.value)]).threads
    assert needs_person(told)
    assert WORDS[reason] in told.note


def test_a_reason_that_nobody_knows_still_needs_a_person(workspace: Workspace) -> None:
    [told] = run(workspace, [thread("T1", unusable="x" * 5000)]).threads
    assert needs_person(told)
    assert UNKNOWN in told.note
    assert "xx" not in told.note


@pytest.mark.parametrize(
    ("suggestion", "why"),
    [
        (suggest("T1", "a.py", 2, "B"), WORDS[SuggestionReason.NO_OP]),
        (suggest("T1", "a.py", 4, "X"), WORDS[SuggestionReason.OUT_OF_RANGE]),
        (suggest("T1", "image", 1, "X"), WORDS[SuggestionReason.NOT_TEXT]),
        (suggest("T1", "missing", 1, "X"), UNREACHABLE),
        (suggest("T1", "link", 1, "X"), UNREACHABLE),
        (suggest("T1", "../a.py", 1, "X"), UNREACHABLE),
        (suggest("T1", "/etc/passwd", 1, "X"), UNREACHABLE),
        (suggest("T1", "a.py", 1, "x" * MAX_FILE_BYTES), UNREACHABLE),
    ],
)
def test_one_bad_file_or_range_costs_only_its_own_thread(
    workspace: Workspace, suggestion: BriefSuggestion, why: str
) -> None:
    bad, good = run(workspace, [thread("T1"), thread("T2")], suggestion, suggest("T2", "tool", 1, "Z")).threads
    assert needs_person(bad)
    assert why in bad.note
    assert bad.places == ()
    assert good.outcome is ThreadOutcomeKind.ADDRESSED
    assert workspace.read("a.py", 99).content == b"A\nB\nC\n"


def test_suggestions_for_the_same_line_are_applied_for_neither_thread(workspace: Workspace) -> None:
    told = run(
        workspace, [thread("T1"), thread("T2")], suggest("T1", "a.py", 1, "X", end=2), suggest("T2", "a.py", 2, "Y")
    ).threads
    assert all(needs_person(each) and WORDS[SuggestionReason.OVERLAP] in each.note for each in told)
    assert workspace.read("a.py", 99).content == b"A\nB\nC\n"


@pytest.mark.parametrize("second", [suggest("T1", "a.py", 9, "X"), suggest("T1", "missing", 1, "X")])
def test_a_thread_is_addressed_only_when_all_its_suggestions_were_applied(
    workspace: Workspace, second: BriefSuggestion
) -> None:
    [told] = run(workspace, [thread("T1")], suggest("T1", "a.py", 1, "X"), second).threads
    assert needs_person(told)
    assert told.note.startswith("Only some of the suggestions were applied")
    assert told.places == ("a.py",)


def test_a_thread_with_an_unusable_suggestion_beside_an_applied_one_needs_a_person(workspace: Workspace) -> None:
    [told] = run(workspace, [thread("T1", unusable="ambiguous")], suggest("T1", "a.py", 1, "X")).threads
    assert needs_person(told)
    assert told.places == ("a.py",)


@pytest.mark.parametrize("planted", ["folder", "file"])
def test_no_link_is_followed_when_writing(workspace: Workspace, tmp_path: Path, planted: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_text("A\n")
    target = tmp_path / "outside" if planted == "folder" else tmp_path / "outside/x"
    (workspace.root / "planted").symlink_to(target)
    path = "planted/x" if planted == "folder" else "planted"
    [told] = run(workspace, [thread("T1")], suggest("T1", path, 1, "pwned")).threads
    assert needs_person(told)
    assert (tmp_path / "outside/x").read_text() == "A\n"


def test_a_suggestion_of_no_thread_is_a_broken_brief(workspace: Workspace) -> None:
    with pytest.raises(TaskFailed, match="a suggestion for T2"):
        run(workspace, [thread("T1")], suggest("T2", "a.py", 1, "X"))
