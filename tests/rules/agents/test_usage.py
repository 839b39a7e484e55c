"""What a session says of its cost is hostile, so numbers are finite and bounded, or left out (review §18.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.agents.usage import MAX_AGENT_SECONDS, MAX_PREMIUM_REQUESTS, SessionUsage, read_usage


def test_premium_requests_and_seconds_are_read() -> None:
    document = b'{"totalPremiumRequestCost": 1.5, "totalApiDurationMs": 42000, "modelMetrics": {}, "more": [1]}'
    assert read_usage(document) == SessionUsage(1.5, 42.0)


def test_each_number_stands_for_itself() -> None:
    assert read_usage(b'{"totalPremiumRequestCost": 3}') == SessionUsage(3.0, None)
    assert read_usage(b'{"totalApiDurationMs": 1500, "totalPremiumRequestCost": "3"}') == SessionUsage(None, 1.5)


@pytest.mark.parametrize("value", ["-1", "1e999", "NaN", "true", "null", '"1"', "[1]", "9" * 400, "1e30", "-0.1"])
def test_a_number_that_is_none_or_beyond_all_bounds_is_left_out(value: str) -> None:
    document = f'{{"totalPremiumRequestCost": {value}, "totalApiDurationMs": {value}}}'.encode()
    assert read_usage(document) == SessionUsage(None, None)


def test_the_bounds_themselves_are_allowed() -> None:
    document = (
        f'{{"totalPremiumRequestCost": {MAX_PREMIUM_REQUESTS}, "totalApiDurationMs": {MAX_AGENT_SECONDS * 1000}}}'
    ).encode()
    assert read_usage(document) == SessionUsage(float(MAX_PREMIUM_REQUESTS), float(MAX_AGENT_SECONDS))


@pytest.mark.parametrize("document", [None, b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"a": 1, "a": 2}'])
def test_a_file_that_is_missing_or_malformed_says_nothing(document: bytes | None) -> None:
    assert read_usage(document) == SessionUsage(None, None)


@given(st.binary(max_size=80))
def test_any_bytes_are_survived(document: bytes) -> None:
    read_usage(document)
