"""Which reports of review runs there are, and which of them is the latest (review §12)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from autoswe.rules.review.run.naming import namespace_of, report_key, result_key
from autoswe.s3.review import ReviewReports

FIRST, SECOND = namespace_of("first"), namespace_of("second")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class ListedBucket:
    """A client of a bucket that holds what it is told to, two objects to a page."""

    def __init__(self, *objects: tuple[str, int]) -> None:
        self._objects = [{"Key": key, "LastModified": NOON + timedelta(minutes=minute)} for key, minute in objects]

    def get_paginator(self, operation: str) -> "ListedBucket":
        assert operation == "list_objects_v2"
        return self

    def paginate(self, *, Bucket: str, Prefix: str) -> Iterator[dict[str, Any]]:  # noqa: N803 - S3's names
        assert Bucket == "kept"
        found = [listed for listed in self._objects if listed["Key"].startswith(Prefix)]  # type: ignore[attr-defined]
        yield from ({"Contents": found[start : start + 2]} for start in range(0, len(found), 2))
        yield {"KeyCount": 0}


def reports(*objects: tuple[str, int]) -> ReviewReports:
    return ReviewReports(ListedBucket(*objects), "kept")


def named(namespace: str, attempt: int) -> str:
    return report_key(namespace, attempt, "report.json")


def test_the_latest_report_is_the_one_that_was_written_last_whatever_its_name() -> None:
    written = [(named(SECOND, 1), 3), (named(FIRST, 1), 5), (named(FIRST, 2), 1), (named(SECOND, 2), 4)]
    latest = reports(*written).latest()
    assert latest is not None
    assert latest[1:] == (FIRST, 1)


def test_of_a_run_the_highest_attempt_counts_and_ten_is_more_than_nine() -> None:
    found = reports((named(FIRST, 9), 3), (named(FIRST, 10), 2), (named(SECOND, 11), 1)).of(FIRST)
    assert found is not None
    assert found[1:] == (FIRST, 10)


def test_what_is_no_report_is_passed_over() -> None:
    others = [
        report_key(FIRST, 1, "report.md"),
        report_key(FIRST, 0, "report.json"),
        report_key("first", 1, "report.json"),
        f"{named(FIRST, 1)}.bak",
        result_key(FIRST, "widgets-7", 1, "report.json"),
    ]
    listed = reports(*((key, 1) for key in others))
    assert listed.latest() is None
    assert listed.of(FIRST) is None
