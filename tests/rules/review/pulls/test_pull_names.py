"""How pull requests are named in an input (review §9.4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.pulls.pull_names import read_pull_names


def read(written: str) -> list[str]:
    """The pull requests of acme that a text names; all of it must be understood."""
    names = read_pull_names(written, org="acme", host="github.com")
    assert names.wrong == ()
    return [str(pull) for pull in names.pulls]


@pytest.mark.parametrize(
    "written",
    [
        "tool/pull/7",
        "acme/tool/pull/7",
        "tool#7",
        "acme/tool#7",
        "ACME/tool#7",
        "https://github.com/acme/tool/pull/7",
        "https://github.com/acme/tool/pull/7/",
        "https://github.com/acme/tool/pull/7/files?w=1#diff-1",
        "https://GitHub.com/acme/tool/pull/7#issuecomment-9",
    ],
)
def test_every_form_names_the_same_pull_request(written: str) -> None:
    assert read(written) == ["acme/tool#7"]


def test_commas_and_white_space_separate_and_the_order_stays() -> None:
    assert read(" b#2,a#1 ,\n\tacme/c/pull/3 ") == ["acme/b#2", "acme/a#1", "acme/c#3"]


def test_a_pull_request_counts_once_in_whatever_form_and_case() -> None:
    assert read("tool#7 other#1 acme/tool/pull/7 Tool#7") == ["acme/tool#7", "acme/other#1"]
    assert read("tool#7 other#7 tool#8 Tool#7") == ["acme/tool#7", "acme/other#7", "acme/tool#8"]


def test_a_repository_may_be_called_pull() -> None:
    assert read("pull/pull/7 acme/pull/pull/8") == ["acme/pull#7", "acme/pull#8"]


@pytest.mark.parametrize(
    "written",
    [
        "other/tool#7",
        "https://github.com/other/tool/pull/7",
        "https://example.com/acme/tool/pull/7",
        "https://github.com@example.com/acme/tool/pull/7",
        "http://github.com/acme/tool/pull/7",
        "https://github.com/acme/tool/issues/7",
        "tool",
        "#7",
        "7",
        "tool#0",
        "tool#07",
        "tool#-7",
        "tool#2147483648",
        "tool#٧",
        "..#7",
        "./pull/7",
        "acme/../pull/7",
        "tool/pull/7/files",
        "a/b/c#7",
        "tool#7;rm",
    ],
)
def test_what_names_no_pull_request_of_the_organisation_is_wrong(written: str) -> None:
    names = read_pull_names(f"good#1 {written}", org="acme", host="github.com")
    assert [str(pull) for pull in names.pulls] == ["acme/good#1"]
    assert names.wrong == (written,)


def test_the_host_of_an_address_is_the_one_that_the_installation_works_on() -> None:
    names = read_pull_names("https://git.acme.test/acme/tool/pull/7", org="acme", host="git.acme.test")
    assert [str(pull) for pull in names.pulls] == ["acme/tool#7"]


@given(st.text())
def test_every_word_is_either_a_pull_request_or_wrong(written: str) -> None:
    names = read_pull_names(written, org="acme", host="github.com")
    assert all(str(pull).startswith("acme/") and 0 < pull.number < 2**31 for pull in names.pulls)
    assert all(word in written for word in names.wrong)


def test_the_largest_number_is_a_number() -> None:
    assert read("tool#2147483647") == ["acme/tool#2147483647"]
