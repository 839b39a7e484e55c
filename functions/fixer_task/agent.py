"""The first container of the fixer's task: an agent edits the workspace."""

import sys

from autoswe.contracts.fixing import AgentManifest
from autoswe.tasks.agents import repair
from autoswe.tasks.entry import run_container

if __name__ == "__main__":
    sys.exit(run_container(AgentManifest, repair))
