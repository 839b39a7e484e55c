"""The first container of the fixer's task: an agent edits the workspace."""

import sys

from autoswe.contracts.feedback.fixing import AgentManifest
from autoswe.tasks.container.entry import run_container
from autoswe.tasks.feedback.agents import repair

if __name__ == "__main__":
    sys.exit(run_container(AgentManifest, repair))
