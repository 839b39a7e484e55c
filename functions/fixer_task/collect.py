"""The second container of the fixer's task: what the agent changed is collected, and none of it is run."""

import sys

from autoswe.contracts.feedback.fixing import CollectManifest
from autoswe.tasks.container.entry import run_container
from autoswe.tasks.feedback.collect import collect

if __name__ == "__main__":
    sys.exit(run_container(CollectManifest, collect))
