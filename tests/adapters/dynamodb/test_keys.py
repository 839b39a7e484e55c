"""Keys of the table: readable, and never the same for two different things."""

from hypothesis import given
from hypothesis import strategies as st

from autoswe.dynamodb.table.keys import key

parts = st.lists(
    st.text(st.sampled_from("#%/25a3-") | st.characters(codec="utf-8"), max_size=6), min_size=1, max_size=4
)


@given(parts, parts)
def test_two_lists_of_parts_never_share_a_key(one: list[str], other: list[str]) -> None:
    assert (key(*one) == key(*other)) is (one == other)


@given(parts)
def test_a_key_has_as_many_separators_as_its_parts_need(one: list[str]) -> None:
    assert key(*one).count("#") == len(one) - 1


def test_a_repository_stays_readable_in_a_key() -> None:
    assert key("PR", "feedback", "octo/widgets", "7") == "PR#feedback#octo/widgets#7"
