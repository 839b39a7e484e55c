"""The second container of the fixer's task: what the agent changed is collected, and none of it is run."""

import sys

from autoswe.contracts.fixing import CollectManifest
from autoswe.tasks.collect import collect
from autoswe.tasks.entry import run_container

if __name__ == "__main__":
    sys.exit(run_container(CollectManifest, collect))
