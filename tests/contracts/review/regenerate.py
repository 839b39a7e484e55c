"""Publish the schemas of a review's files anew: ``python -m tests.contracts.review.regenerate``."""

import json

from tests.contracts.review.documents import PUBLISHED


def main() -> None:
    """Write every schema where it is published."""
    for document in PUBLISHED:
        document.schema_file.parent.mkdir(parents=True, exist_ok=True)
        document.schema_file.write_text(json.dumps(document.schema(), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
