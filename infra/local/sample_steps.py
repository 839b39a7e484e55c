"""The golden input and output of each workflow step in ``events/steps``, as the local assembly has them.

``python -m infra.local.sample_steps`` plays one round and one scheduled review and writes them anew.
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
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite, review_task

FOLDER = ROOT / "events" / "steps"
PRESIGNED = re.compile(r"http://127\.0\.0\.1:\d+/([^?\"]+)\?[^\"]*")
FILE = "def area(width, height):\n    return width + height\n"
RELEASE = "0" * 64
"""Stands for the program's digest, which every change to the program changes."""

SUGGESTION = "An area is a product.\n\n```suggestion\n    return width * height\n```"


Samples = dict[str, dict[str, Any]]


def play_round(root: Path) -> Samples:
    """Play one round and return the first input and output of each step, by the function's name."""
    with LocalAssembly(root) as assembly:
        recorded = _record(assembly)
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


def play_review(root: Path) -> Samples:
    """Play one live review of one pull request and return the first input and output of each step."""
    with LocalAssembly(root, more_tasks=[review_task()]) as assembly:
        recorded = _record(assembly)
        repository = assembly.host.add_repository("octo/widgets", private=False)
        repository.commit("main", {"README.md": "Widgets\n"}, "Begin")
        author = assembly.host.add_user("a-developer")
        sha = repository.commit("words", {"README.md": "Widgets of all kinds\n"}, "Say of which kind", author=author)
        repository.check_run(sha, "tests", conclusion="success")
        repository.open_pull("words", "main", author, "Say of which kind")
        site = ReviewSite.open(assembly, [repository])
        site.run("octo", dry_run=False)
    return {step: json.loads(json.dumps(sample).replace(site.release, RELEASE)) for step, sample in recorded.items()}


def _record(assembly: LocalAssembly) -> Samples:
    recorded: Samples = {}

    def invoked(invocation: Invocation, outcome: Outcome) -> None:
        if invocation.state is not None:
            sample = {"input": invocation.event, "output": outcome.result}
            recorded.setdefault(invocation.function, json.loads(without_addresses(json.dumps(sample))))

    assembly.aws.hooks.after_invoke = invoked
    return recorded


def _report_ci(repository: Repository, _branch: str, sha: str) -> None:
    repository.check_run(sha, "tests", conclusion="success")


def without_addresses(text: str) -> str:
    """Replace presigned addresses, which are good for an hour and only on the machine that signed them."""
    return PRESIGNED.sub(r"https://s3.example/\1?X-Amz-Signature=removed", text)


def main() -> None:
    """Write the files."""
    logging.disable(logging.ERROR)
    for play in (play_round, play_review):
        with tempfile.TemporaryDirectory() as root, redirect_stdout(StringIO()):
            samples = play(Path(root))
        for name, sample in samples.items():
            (FOLDER / f"{name}.json").write_text(json.dumps(sample, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
