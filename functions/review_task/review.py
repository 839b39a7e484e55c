"""The container of the reviewer's task: a reviewer reads one pull request."""

import sys

from autoswe.contracts.review.session import ReviewManifest
from autoswe.tasks.container.entry import run_container
from autoswe.tasks.review.reviewer import review

if __name__ == "__main__":
    sys.exit(run_container(ReviewManifest, review))
