"""The reports of review runs in the bucket: which there are, and which is the latest (review §12, §18.7)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from autoswe.rules.review.run.naming import read_report_key, reports_folder


class WrittenReport(NamedTuple):
    """One attempt at a run that has its report: ``report.json`` is the last of its objects to be written."""

    written_at: datetime
    namespace: str
    attempt: int


class ReviewReports:
    """The reports of one bucket; reading them takes the right to list it."""

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def latest(self) -> WrittenReport | None:
        """Find the report that was written last; ``None`` when none is kept."""
        return max(self._written(reports_folder()), default=None)

    def of(self, namespace: str) -> WrittenReport | None:
        """Find the report of a run's highest attempt; ``None`` when none is kept."""
        return max(self._written(reports_folder(namespace)), key=lambda report: report.attempt, default=None)

    def _written(self, folder: str) -> Iterator[WrittenReport]:
        for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=folder):
            for listed in page.get("Contents", ()):
                named = read_report_key(listed["Key"])
                if named is not None:
                    yield WrittenReport(listed["LastModified"], *named)
