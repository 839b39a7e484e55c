"""One line of structured log; Lambda takes standard output to CloudWatch Logs as it is."""

import json
import sys
from collections.abc import Mapping
from datetime import datetime

NAMESPACE = "auto-swe"
"""Where the metrics are found in CloudWatch."""


def log_line(fields: Mapping[str, object]) -> None:
    """Write the fields that have a value as one line of JSON to standard output."""
    sys.stdout.write(json.dumps({name: value for name, value in fields.items() if value is not None}) + "\n")
    sys.stdout.flush()


def metric_line(dimensions: Mapping[str, str], counts: Mapping[str, int], at: datetime) -> None:
    """Write counts as a line that CloudWatch takes for metrics, by all dimensions together.

    Every value of a dimension makes a metric of its own, so each must be one of a few words; nothing else is in the
    line. Source: Amazon CloudWatch, "Embedded metric format specification".
    """
    metrics = [{"Name": name, "Unit": "Count"} for name in counts]
    directive = {"Namespace": NAMESPACE, "Dimensions": [list(dimensions)], "Metrics": metrics}
    metadata = {"Timestamp": int(at.timestamp() * 1000), "CloudWatchMetrics": [directive]}
    log_line({"_aws": metadata, **dimensions, **counts})
