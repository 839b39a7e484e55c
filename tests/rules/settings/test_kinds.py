"""What each kind of setting takes, and how a person writes it (feedback §6)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.settings.kinds import AccountIds, BranchPatterns, Choice, Kind, OnOff, Whole

LEVELS = Choice(("low", "high"))
KINDS: list[Kind[Any]] = [OnOff(), Whole(0, 900), LEVELS, AccountIds(10), BranchPatterns()]

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=15,
)


@pytest.mark.parametrize(("kind", "stored", "read"), [
    (OnOff(), True, True),
    (OnOff(), False, False),
    (Whole(1, 10), 1, 1),
    (Whole(1, 10), 10, 10),
    (Whole(0, 900), 0, 0),
    (LEVELS, "high", "high"),
    (AccountIds(2), [], ()),
    (AccountIds(2), [7, 2**53 - 1], (7, 2**53 - 1)),
    (BranchPatterns(), ["main", "release/*", "größer"], ("main", "release/*", "größer")),
    (BranchPatterns(), [], ()),
])  # fmt: skip
def test_what_is_allowed_is_read_as_it_is_used(kind: Kind[Any], stored: object, read: object) -> None:
    value = kind.read(stored)
    assert (value, type(value)) == (read, type(read))


@pytest.mark.parametrize(("kind", "stored"), [
    (OnOff(), 1), (OnOff(), 0), (OnOff(), "on"), (OnOff(), None),
    (Whole(1, 10), 0), (Whole(1, 10), 11), (Whole(0, 1), True), (Whole(1, 10), "5"), (Whole(1, 10), 5.0),
    (LEVELS, "High"), (LEVELS, ""), (LEVELS, ["low"]), (LEVELS, None),
    (AccountIds(2), [1, 2, 3]), (AccountIds(2), [0]), (AccountIds(2), [-1]), (AccountIds(2), [2**53]),
    (AccountIds(2), [True]), (AccountIds(2), ["1"]), (AccountIds(2), 1), (AccountIds(2), "12"),
    (BranchPatterns(), ["main", ""]), (BranchPatterns(), ["a b"]), (BranchPatterns(), ["a\n"]),
    (BranchPatterns(), ["[a]"]), (BranchPatterns(), ["a?"]), (BranchPatterns(), ["x" * 256]),
    (BranchPatterns(), ["x"] * 101), (BranchPatterns(), "main"), (BranchPatterns(), [1]),
])  # fmt: skip
def test_what_is_not_allowed_is_not_bent_until_it_is(kind: Kind[Any], stored: object) -> None:
    assert kind.read(stored) is None


@pytest.mark.parametrize(("kind", "written", "meant"), [
    (OnOff(), "on", True), (OnOff(), "off", False), (OnOff(), "true", "true"),
    (Whole(0, 900), "120", 120), (Whole(0, 900), "-1", -1), (Whole(0, 900), "1e2", "1e2"),
    (Whole(0, 900), "9" * 5_000, "9" * 5_000),
    (LEVELS, "low", "low"),
    (AccountIds(10), "1, 22 ,333", [1, 22, 333]), (AccountIds(10), "", []), (AccountIds(10), "1,x", [1, "x"]),
    (BranchPatterns(), "main, release/*", ["main", "release/*"]),
])  # fmt: skip
def test_a_persons_writing_means_what_it_says(kind: Kind[Any], written: str, meant: object) -> None:
    assert kind.parse(written) == meant


@given(st.sampled_from(KINDS), ANYTHING)
def test_whatever_is_stored_is_read_or_refused_and_what_is_read_can_be_written_and_read_again(
    kind: Kind[Any], stored: object
) -> None:
    value = kind.read(stored)
    if value is not None and not (isinstance(value, tuple) and any("," in str(part) for part in value)):
        assert kind.read(kind.parse(kind.show(value))) == value
    assert isinstance(kind.show(stored), str)


@given(st.sampled_from(KINDS), st.text())
def test_no_writing_breaks_a_kind(kind: Kind[Any], written: str) -> None:
    kind.read(kind.parse(written))


def test_the_branches_of_all_scopes_are_joined_each_once() -> None:
    assert BranchPatterns().join([("a", "b"), (), ("b", "c")]) == ("a", "b", "c")


@pytest.mark.parametrize("kind", [OnOff(), Whole(0, 900), LEVELS, AccountIds(10)])
def test_of_other_kinds_the_most_specific_value_counts(kind: Kind[Any]) -> None:
    assert kind.join(["team", "organisation"]) == "team"
