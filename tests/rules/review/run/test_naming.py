"""The names a review run gives (review §12, §18)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.run.naming import (
    Kept,
    attempt_key,
    entry_key,
    evidence_key,
    namespace_of,
    read_report_key,
    report_key,
    reports_folder,
    result_key,
    run_address,
    run_number,
    session_key,
)
from autoswe.rules.review.verdict.approval_body import compose_approval
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.text.strict_json import LARGEST_INTEGER

EXECUTION = "arn:aws:states:eu-west-1:123456789012:execution:reviews:one"


@given(st.text(min_size=1), st.text(min_size=1))
def test_each_execution_has_a_namespace_and_a_number_of_its_own(one: str, other: str) -> None:
    namespaces = {namespace_of(one), namespace_of(other)}
    assert all(re.fullmatch(r"[0-9a-f]{16}-[0-9a-f]{32}", namespace) for namespace in namespaces)
    assert len(namespaces) == len({one, other})
    assert all(1 <= run_number(namespace) <= LARGEST_INTEGER for namespace in namespaces)


def test_the_first_folder_says_how_long_an_object_is_kept() -> None:
    kept = {
        Kept.EVIDENCE: (evidence_key("ns", "x"), entry_key("ns", "tool-7", "x"), attempt_key("ns", "tool-7", 1, "x")),
        Kept.SESSIONS: (session_key("ns", "tool-7", 1, "x"),),
        Kept.RESULTS: (result_key("ns", "tool-7", 1, "x"),),
        Kept.REPORTS: (report_key("ns", 1, "x"),),
    }
    for folder, keys in kept.items():
        assert all(key.startswith(f"reviews/{folder}/ns/") for key in keys)


def test_no_two_entries_or_attempts_share_a_key() -> None:
    entries = ["tool-7", "tool-77", "tool-7-7", "tool"]
    for name in (session_key, result_key, attempt_key):
        keys = [name("ns", entry, attempt, "x") for entry in entries for attempt in (1, 2, 11)]
        assert len(set(keys)) == len(keys)


@given(st.text(min_size=1), st.integers(1, 999_999_999))
def test_the_key_of_a_report_tells_whose_it_is_and_stands_in_the_folder_of_its_run(one: str, attempt: int) -> None:
    namespace = namespace_of(one)
    key = report_key(namespace, attempt, "report.json")
    assert read_report_key(key) == (namespace, attempt)
    assert key.startswith(reports_folder(namespace))
    assert reports_folder(namespace).startswith(reports_folder())


def test_what_is_no_report_names_no_run() -> None:
    namespace = namespace_of(EXECUTION)
    key = report_key(namespace, 1, "report.json")
    others = [
        *(report_key(namespace, 1, name) for name in ("report.md", "ledger.json", "reportXjson")),
        *(report_key(name, 1, "report.json") for name in ("ns", namespace[1:], namespace.upper())),
        *(report_key(namespace, attempt, "report.json") for attempt in (0, -1, 10**9)),
        *(f"{key}.bak", f"old/{key}", key.replace("/1/", "/01/")),
        result_key(namespace, "tool-7", 1, "report.json"),
    ]
    assert [read_report_key(other) for other in others] == [None] * len(others)


def test_the_address_of_a_run_can_stand_in_an_approval() -> None:
    address = run_address(EXECUTION)
    assert address.startswith("https://eu-west-1.console.aws.amazon.com/")
    assert address.endswith(EXECUTION)
    body = compose_approval(Tier.TRIVIAL, "Said.", reviewer=None, model="m", run_url=address)
    assert address in body
