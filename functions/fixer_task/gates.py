"""The third container of the fixer's task: the repository's gates judge the collected change."""

import sys

from autoswe.contracts.feedback.fixing import GatesManifest
from autoswe.tasks.container.entry import run_container
from autoswe.tasks.feedback.gates import run_gates

if __name__ == "__main__":
    sys.exit(run_container(GatesManifest, run_gates))
