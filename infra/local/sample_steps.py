"""The golden input and output of each workflow step in ``events/steps``, as one round on the local assembly has them.

``python -m infra.local.sample_steps`` plays the round and writes them anew.
"""

import json
import logging
import re
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from infra.local.assembly import ROOT, LocalAssembly
from infra.local.embedded_aws.functions import Invocation, Outcome
from infra.local.github_host.repository import Repository
from infra.local.github_host.reviews import InlineComment

FOLDER = ROOT / "events" / "steps"
PRESIGNED = re.compile(r"http://127\.0\.0\.1:\d+/([^?\"]+)\?[^\"]*")
FILE = "def area(width, height):\n    return width + height\n"
SUGGESTION = "An area is a product.\n\n```suggestion\n    return width * height\n```"


def play(root: Path) -> dict[str, dict[str, Any]]:
    """Play one round and return the first input and output of each step, by the function's name."""
    recorded: dict[str, dict[str, Any]] = {}

    def invoked(invocation: Invocation, outcome: Outcome) -> None:
        if invocation.state is not None:
            sample = {"input": invocation.event, "output": outcome.result}
            recorded.setdefault(invocation.function, json.loads(without_addresses(json.dumps(sample))))

    with LocalAssembly(root) as assembly:
        assembly.aws.hooks.after_invoke = invoked
        repository = assembly.host.add_repository("octo/widgets")
        repository.commit("main", {"README.md": "Widgets\n"}, "Begin")
        author, reviewer = assembly.host.add_user("a-developer"), assembly.host.add_user("a-reviewer")
        repository.commit("feature", {"area.py": FILE}, "Add area", author=author)
        site = assembly.connect(repository, "main")
        pull = repository.open_pull("feature", "main", author, "Add area")
        assembly.link_member(site, reviewer)
        assembly.record_origin(site, pull)
        repository.on_push(_report_ci)
        pull.review(reviewer, "request_changes", "Please.", [InlineComment("area.py", 2, SUGGESTION)])
        assembly.aws.settle()
    return recorded


def _report_ci(repository: Repository, _branch: str, sha: str) -> None:
    repository.check_run(sha, "tests", conclusion="success")


def without_addresses(text: str) -> str:
    """Replace presigned addresses, which are good for an hour and only on the machine that signed them."""
    return PRESIGNED.sub(r"https://s3.example/\1?X-Amz-Signature=removed", text)


def main() -> None:
    """Write the files."""
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as root, redirect_stdout(StringIO()):
        for name, sample in play(Path(root)).items():
            (FOLDER / f"{name}.json").write_text(json.dumps(sample, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
