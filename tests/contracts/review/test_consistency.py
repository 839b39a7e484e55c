"""A review's file does not contradict itself (review §18)."""

import json
from copy import deepcopy
from typing import Any

import pytest

from autoswe.contracts.review.candidates import Candidates
from autoswe.contracts.review.judgement import Result
from autoswe.contracts.review.ledger import LedgerDocument
from autoswe.contracts.review.reading import DocumentRefused, read_document
from autoswe.contracts.review.report import ReportDocument, selected_entries
from autoswe.contracts.review.selection import Matrix, Selection
from autoswe.contracts.review.sides import Sides, changed_files
from autoswe.rules.review.diff.changed_files import Side
from autoswe.rules.review.pulls.selection import SkipReason
from autoswe.rules.review.run.ledger import merge
from autoswe.rules.review.run.report import settle
from autoswe.rules.review.verdict.tiers import Verdict
from tests.contracts.review.documents import PUBLISHED

LIMIT = 1_000_000
MODELS = {document.name: document for document in PUBLISHED}


def golden(name: str) -> Any:
    return json.loads(MODELS[name].golden_file.read_bytes())


def read(name: str, document: Any) -> Any:
    return read_document(MODELS[name].model, json.dumps(document).encode(), name=name, max_bytes=LIMIT)


def changed(name: str, **changes: object) -> Any:
    """The golden file with some places changed; ``a__0__b`` is the place ``a[0].b``."""
    document = golden(name)
    for place, value in changes.items():
        holder: Any = document
        *above, last = place.split("__")
        for part in above:
            holder = holder[int(part) if part.isdigit() else part]
        holder[last] = value
    return document


CONTRADICTIONS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("selection", {"pull_requests__0__key": "tool-158"}, "key"),
    ("selection", {"pull_requests__0__repo_name": "other"}, "repo_name"),
    ("selection", {"org": "other-org"}, "organisation"),
    ("selection", {"skip_counts__draft": 2}, "skip_counts"),
    ("selection", {"skipped": []}, "skip_counts"),
    ("selection", {"approve_tiers": ["trivial", "low-risk"]}, "approve_tiers"),
    ("selection", {"approve_tiers": ["trivial", "trivial"]}, "approve_tiers"),
    ("selection", {"approve_tiers": ["needs-human"]}, "approve_tiers"),
    ("selection", {"generated_at": "2026-10-05T10:00:00"}, "generated_at"),
    ("selection", {"generated_at": "2026-10-05T10:00:00+02:00"}, "UTC"),
    ("selection", {"pull_requests__0__body": "é" * (32 * 1024) + "x"}, "at most 65536 bytes"),
    ("selection", {"pull_requests__0__diff_bytes": 512 * 1024 + 1}, "diff_bytes"),
    ("check", {"agent_tier": None, "tier": "trivial"}, "agent_tier"),
    ("check", {"agent_tier": None, "reasons": []}, "reason"),
    ("check", {"approvable": True}, "approvable"),
    ("check", {"tier": "trivial", "approvable": True, "vetoes": ["x"]}, "veto"),
    ("check", {"classifier__trivial": True}, "non_trivial_paths"),
    ("result", {"verdict": "failed", "reasons": ["x"]}, "tier"),
    ("result", {"tier": None}, "tier"),
    ("result", {"verdict": "failed", "tier": None}, "reasons"),
    ("result", {"tier": "needs-human"}, "tier"),
    ("result", {"dry_run": True}, "dry run"),
    ("result", {"verdict": "would-approve"}, "would-approve"),
    ("result", {"review_url": None}, "review_url"),
    ("report", {"counts__failed": 2}, "counts"),
    ("report", {"counts__skipped": 2}, "counts"),
    ("candidates", {"candidates__0__repository": "tool"}, "full name"),
    ("candidates", {"candidates__0__state__updated_at": "2026-10-05T09:30:00"}, "UTC"),
)


@pytest.mark.parametrize(("name", "changes", "told"), CONTRADICTIONS)
def test_a_file_that_contradicts_itself_is_refused_with_what_it_contradicts(
    name: str, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(DocumentRefused, match=told):
        read(name, changed(name, **changes))


def test_entries_and_results_stand_in_order_and_once() -> None:
    selection = golden("selection")
    second = deepcopy(selection["pull_requests"][0]) | {"key": "tool-158", "number": 158}
    read("selection", selection | {"pull_requests": [*selection["pull_requests"], second]})
    report = golden("report")
    for name, document, field in (
        ("selection", selection | {"pull_requests": [second, *selection["pull_requests"]]}, "pull_requests"),
        ("selection", selection | {"pull_requests": selection["pull_requests"] * 2}, "pull_requests"),
        ("report", report | {"results": report["results"][::-1]}, "results"),
    ):
        with pytest.raises(DocumentRefused, match=f"{field} should be sorted"):
            read(name, document)


def test_every_reason_has_a_count_even_where_it_is_zero() -> None:
    document = golden("selection")
    assert set(document["skip_counts"]) == set(SkipReason)
    del document["skip_counts"]["cap"]
    with pytest.raises(DocumentRefused, match="every reason"):
        read("selection", document)


def test_the_matrix_holds_the_selected_pull_requests() -> None:
    selection = read("selection", golden("selection"))
    assert isinstance(selection, Selection)
    assert Matrix.of(selection) == read("matrix", golden("matrix"))


def test_a_ledger_is_written_as_it_was_read() -> None:
    document = read("ledger", golden("ledger"))
    assert isinstance(document, LedgerDocument)
    [entry] = document.entries
    merged = merge([entry.assessment()], now=entry.assessed_at)
    assert LedgerDocument.of(merged.values()) == document


def test_the_policy_of_a_recorded_run_is_the_rules_own() -> None:
    recorded = read("candidates", golden("candidates"))
    assert isinstance(recorded, Candidates)
    policy = recorded.policy.policy()
    assert policy.named == {("example-org/tool", 157)}
    assert policy.excluded == {"old-reports"}


def test_each_changed_file_gets_the_sides_that_were_read_of_it() -> None:
    selection, sides = read("selection", golden("selection")), read("files", golden("files"))
    assert isinstance(selection, Selection)
    assert isinstance(sides, Sides)
    readme, logo = changed_files(selection.pull_requests[0].files, sides)
    assert (readme.base, readme.head) == (Side("100644", "teh\n"), Side("100644", "the\n"))
    assert (logo.base, logo.head) == (None, Side("100644", None))
    assert readme.patch == "@@ -1 +1 @@\n-teh\n+the"
    assert [file.sides for file in changed_files(selection.pull_requests[0].files, None)] == [(), ()]


def test_a_report_says_what_the_selection_and_the_results_came_to() -> None:
    selection, result = read("selection", golden("selection")), read("result", golden("result"))
    assert isinstance(selection, Selection)
    assert isinstance(result, Result)
    would = result.model_copy(update={"verdict": Verdict.WOULD_APPROVE, "dry_run": True, "review_url": None})
    outcome = settle(selected_entries(selection), [would], ())
    report = ReportDocument.of(selection, outcome, ledger_entries=3)
    assert json.loads(report.dump()) == golden("report") | {
        "counts": golden("report")["counts"] | {"failed": 0, "candidates_seen": 4},
        "results": [json.loads(would.dump())],
        "ledger_entries": 3,
    }
