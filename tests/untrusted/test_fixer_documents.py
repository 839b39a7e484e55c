"""What containers leave: each document is refused in one sentence, or is within every bound that is stated for it."""

import base64
import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import strategies as st

from autoswe.contracts import hostile_document
from autoswe.contracts.feedback.fixing import Change, Outcome
from autoswe.contracts.hostile_document import holds_too_many_values
from autoswe.steps.feedback.fixer_results import FixerResults, ResultsRefused
from tests.support.feedback.hostile_results import (
    CHANGE,
    GATES,
    LABELS,
    OUTCOME,
    change_of,
    file_change,
    read_documents,
)
from tests.support.hostile.json_documents import damaged, json_values, mutations
from tests.untrusted.properties import holds_for

KIB, MIB = 1024, 1024 * 1024
CAPS = {"change": 16 * MIB, "outcome": 256 * KIB, "gates": 256 * KIB}
"""How large each document may be (architecture §5)."""

CHANGE_BYTES = json.dumps(CHANGE).encode()
GATES_BYTES = json.dumps({**GATES, "change_sha256": sha256(CHANGE_BYTES).hexdigest()}).encode()


def read(name: str, document: bytes) -> FixerResults | None:
    """Read results one of which is hostile; nothing when they were refused, in one sentence that quotes nothing."""
    given = {"change": CHANGE_BYTES, "gates": None if name == "change" else GATES_BYTES, name: document}
    try:
        results, fetched = read_documents(**given)
    except ResultsRefused as refusal:
        sentence = str(refusal)
        assert sentence.isascii()
        assert sentence.isprintable()
        assert len(sentence) < 120
        return None
    assert all(fetched[one] <= cap for one, cap in CAPS.items())
    return results


def require_bounds(results: FixerResults | None) -> None:
    if results is None:
        return
    assert len(results.files) <= 200
    assert {file.mode for file in results.files} <= {"100644", "100755"}
    assert all(len(content) <= 2 * MIB for content in results.contents.values())
    assert sum(map(len, results.contents.values())) <= CAPS["change"]
    assert results.outcomes.keys() <= LABELS
    for outcome in results.outcomes.values():
        assert len(outcome.note) <= 2000
        assert len(outcome.places) <= 50
    assert len(results.gates) <= 3
    assert {status for _, status in results.gates} <= {"passed", "already_failing"} or results.gates_failed


@holds_for(mutations([OUTCOME]), examples=60)
def test_an_outcome_with_anything_in_any_place_is_refused_or_within_bounds(place: None, document: Any) -> None:
    require_bounds(read("outcome", document))


@holds_for(mutations([CHANGE]), examples=60)
def test_a_change_with_anything_in_any_place_is_refused_or_within_bounds(place: None, document: Any) -> None:
    require_bounds(read("change", document))


@holds_for(mutations([json.loads(GATES_BYTES)]), examples=60)
def test_a_gate_report_with_anything_in_any_place_is_refused_or_within_bounds(place: None, document: Any) -> None:
    require_bounds(read("gates", document))


@holds_for(
    st.sampled_from(sorted(CAPS)).flatmap(
        lambda name: st.tuples(st.just(name), st.binary(max_size=100) | damaged(json.dumps(OUTCOME).encode()))
    )
)
def test_any_bytes_are_refused_or_within_bounds(place: None, given: Any) -> None:
    require_bounds(read(*given))


@holds_for(st.text(max_size=12) | st.text("AQg=-_ \n", max_size=12))
def test_the_content_of_a_file_is_base64_or_the_change_is_refused(place: None, content: Any) -> None:
    one = {**file_change("x", None, b"x"), "content_base64": content}
    results = read("change", json.dumps(change_of(one)).encode())
    if results is not None:
        (decoded,) = results.contents.values()
        assert base64.b64encode(decoded).decode() == content


@pytest.mark.parametrize("name", sorted(CAPS))
def test_a_document_is_read_up_to_its_cap_and_refused_one_byte_above(name: str) -> None:
    good = {"change": CHANGE_BYTES, "outcome": json.dumps(OUTCOME).encode(), "gates": GATES_BYTES}[name]
    assert read(name, good.ljust(CAPS[name])) is not None
    assert read(name, good.ljust(CAPS[name] + 1)) is None


def test_a_file_may_hold_two_mebibytes_and_not_a_byte_more() -> None:
    for size, accepted in ((2 * MIB, True), (2 * MIB + 1, False), (2 * MIB + 4, False)):
        document = json.dumps(change_of(file_change("x", None, b"x" * size))).encode()
        assert (read("change", document) is not None) is accepted


def test_a_change_that_has_a_file_where_it_has_a_folder_is_refused() -> None:
    below, beside = file_change("a/b/c", None, b"x"), file_change("a/b-c", None, b"x")
    for above in ("a", "a/b"):
        files = file_change(above, None, b"x"), beside, below
        assert read("change", json.dumps(change_of(*files)).encode()) is None
    moved = file_change("a", b"x", None), beside, below
    assert read("change", json.dumps(change_of(*moved)).encode()) is not None


@pytest.mark.parametrize(
    "content", [b"[],", b"{},", b"0,", b'"",', b'{"a":0},', b'[["', b'"\\"\\",'], ids=lambda content: content.decode()
)
@pytest.mark.parametrize("name", sorted(CAPS))
def test_a_document_of_many_small_values_is_refused_unparsed(name: str, content: bytes) -> None:
    """A parser would make up to thirteen gibibytes of sixteen mebibytes of them."""
    document = b'{"files":[' + content * (CAPS[name] // 2 // len(content))
    with pytest.raises(ResultsRefused, match="more values than it may"):
        read_documents(**{name: document})


@holds_for(json_values.map(lambda value: [value] * 20), examples=60)
def test_no_document_has_more_values_than_are_counted(place: None, value: Any) -> None:
    def count(one: Any) -> int:
        inside = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        return 1 + sum(map(count, inside))

    written = json.dumps(value).encode()
    for bound in (5, 25, 100):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hostile_document, "MAX_TOKENS", bound)
            assert count(value) <= bound + 1 or holds_too_many_values(written)


def test_the_largest_documents_that_are_agreed_on_are_not_too_many_values() -> None:
    thread = {"label": "T1", "outcome": "declined", "note": 'a, "b" [c] {d}' * 100, "places": ['a,"[{'] * 50}
    outcome = json.dumps({**OUTCOME, "threads": [thread] * 100}).encode()
    change = json.dumps(change_of(*[file_change('[{,"' * 1000, b"x", b"y")] * 200)).encode()
    assert len(Outcome.model_validate_json(outcome).threads) == 100
    assert len(Change.model_validate_json(change).files) == 200
    assert not holds_too_many_values(outcome)
    assert not holds_too_many_values(change)
