"""One line of structured log; Lambda takes standard output to CloudWatch Logs as it is."""

import json
import sys
from collections.abc import Mapping


def log_line(fields: Mapping[str, object]) -> None:
    """Write the fields that have a value as one line of JSON to standard output."""
    sys.stdout.write(json.dumps({name: value for name, value in fields.items() if value is not None}) + "\n")
    sys.stdout.flush()
