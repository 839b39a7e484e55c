"""Plays one feedback round on this machine and prints its story: ``python -m infra.local.feedback.demo [--repo PATH]``.

The fix passes every local gate, CI fails on it all the same, and the round follows that up. Everything in it is the
product's own: workflow file, handlers and containers are the ones that the cloud assembly deploys. Only the model is a
small program in its place, ``infra/local/feedback/demo_agent.py``.
"""

import argparse
import html
import json
import logging
import re
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.rule import Rule
from rich.syntax import Syntax

from autoswe.contracts.records.platform import GateSettings, RepositoryRecord
from autoswe.rules.records.triggers import TriggerKind
from infra.local.assembly import ROOT, LocalAssembly, Site
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.github_host.repository import Repository

AGENT = (sys.executable, str(Path(__file__).with_name("demo_agent.py")))
BASE = "demo-base"
FOLDER = "auto_swe_demo"
FLAWED = '''\
"""Say how long something took."""


def describe(seconds):
    """Return a duration in words, such as "2 min 5 s"."""
    minutes = seconds // 60
    rest = seconds // 60
    if minutes == 0:
        return str(rest)
    return f"{minutes} min {rest} s"
'''
CHECKS = '''\
"""Durations in words."""

import unittest

from durations import describe


class Durations(unittest.TestCase):
    """Durations in words."""

    def test_minutes_and_seconds(self):
        """A duration over a minute names both."""
        self.assertEqual(describe(125), "2 min 5 s")

    def test_seconds_alone(self):
        """A duration under a minute names the seconds."""
        self.assertEqual(describe(5), "5 s")
'''
CHANGES = f"{FOLDER}/CHANGES.md"
GATES = GateSettings(
    lint=("python3", "-m", "py_compile", f"{FOLDER}/durations.py"),
    tests=("python3", "-m", "unittest", "discover", "-s", FOLDER, "-p", "*_checks.py"),
)

COMMAND = "/auto-swe fix"
OUR_OWN_ECHO = ("bot_sender", "uninteresting")
REVIEW = (
    InlineComment(
        f"{FOLDER}/durations.py",
        7,
        "This is the number of minutes again.\n\n```suggestion\n    rest = seconds % 60\n```",
    ),
    InlineComment(
        f"{FOLDER}/durations.py", 9, 'The unit is missing.\n\n```suggestion\n        return f"{rest} s"\n```'
    ),
    InlineComment(f"{FOLDER}/durations.py", 4, "What about negative durations?"),
)


class Narrator:
    """Prints what happens, with the real seconds since the round began."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = monotonic()

    def tell(self, text: str) -> None:
        """Print one line of the story."""
        self._console.print(f"[dim]{monotonic() - self._began:6.2f} s[/]  {text}")

    def invoked(self, invocation: Invocation, outcome: Outcome) -> None:
        """Tell what a function did; the host's own echo of what our bot wrote is left out."""
        answer = outcome.result if isinstance(outcome.result, dict) else {}
        if invocation.function == "receive_delivery":
            answer = json.loads(answer.get("body", "{}"))
            if answer.get("reason") in OUR_OWN_ECHO:
                return
        said = escape(str(outcome.error or answer.get("outcome") or answer.get("summary") or "done"))
        reason = f" ({escape(answer['reason'])})" if answer.get("reason") else ""
        name = escape(invocation.state or invocation.function)
        self.tell(f"[bold]{name}[/]: {said}{reason} [dim]in {outcome.seconds * 1000:.0f} ms[/]")


def as_shown(body: str) -> str:
    """Return a comment's Markdown as its reader sees it: entities decoded, invisible characters and markers gone."""
    shown = re.sub(r"<!--.*?-->\n*", "", body, flags=re.DOTALL)
    return html.unescape(re.sub(r"</?code>", "`", shown)).replace("\u200b", "")


def main(arguments: list[str]) -> int:
    """Play the round and print commit, summary and replies; returns 0 when the round succeeded."""
    parser = argparse.ArgumentParser(prog="make demo", description="Play one feedback round on this machine.")
    parser.add_argument("--repo", type=Path, default=ROOT, help="a git repository to play it on a clone of")
    repo = parser.parse_args(arguments).repo.expanduser().resolve()
    head = _git(repo, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not head:
        parser.error(f"{repo} is not a git repository with a commit")
    # The workflow engine logs every caught failure as an error; the story tells what became of it.
    logging.disable(logging.ERROR)
    console = Console(highlight=False, file=sys.stdout)
    with tempfile.TemporaryDirectory(prefix="auto-swe-demo-") as root, redirect_stdout(StringIO()):
        source = Path(root) / "source.git"
        # A checkout may stand on no branch at all, as in CI; the pull request needs one to go into.
        _git(repo, "clone", "--quiet", "--bare", str(repo), str(source))
        _git(source, "update-ref", f"refs/heads/{BASE}", head)
        _git(source, "symbolic-ref", "HEAD", f"refs/heads/{BASE}")
        return _play(console, source, Path(root))


def _git(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _play(console: Console, repo: Path, root: Path) -> int:
    console.print(Rule("auto-swe: one feedback round"))
    narrator = Narrator(console)
    with LocalAssembly(root, agent_command=AGENT) as assembly:
        narrator.tell(f"The local assembly is up; deliveries go to {assembly.webhook_url}")
        site, pull, reviewer = _set_the_scene(assembly, repo, narrator)
        head = pull.head_sha
        narrator.tell(f"{pull.author.login} opens pull request #{pull.number} with a small flaw")
        assembly.aws.hooks.after_invoke = narrator.invoked
        narrator.tell(f"{reviewer.login} requests changes: two suggestions and one remark")
        pull.review(reviewer, "request_changes", "Two small things, and a question.", REVIEW)
        stranger = assembly.host.add_user("a-stranger")
        narrator.tell(f"{stranger.login}, who is no member, asks for a fix")
        pull.comment(stranger, COMMAND)
        narrator.tell(f"{reviewer.login} asks for a fix")
        began = monotonic()
        pull.comment(reviewer, COMMAND)
        assembly.aws.settle()
        took = monotonic() - began
        return _show(console, assembly, site, pull, head, took)


def _set_the_scene(assembly: LocalAssembly, repo: Path, narrator: Narrator) -> tuple[Site, Pull, Account]:
    host = assembly.host
    repository = host.add_repository("octo/demo", clone_from=repo)
    base = repository.default_branch
    author, reviewer = host.add_user("a-developer"), host.add_user("a-reviewer")
    files = {
        f"{FOLDER}/durations.py": FLAWED,
        f"{FOLDER}/durations_checks.py": CHECKS,
        CHANGES: "# Changes\n\n",
    }
    repository.commit("describe-durations", files, "Describe durations", author=author)
    site = assembly.connect(
        repository,
        record=RepositoryRecord(repository_id=repository.id, gates=GATES),
        triggers=(TriggerKind.COMMAND,),
    )
    pull = repository.open_pull("describe-durations", base, author, "Describe durations")
    assembly.link_member(site, reviewer)
    assembly.record_origin(site, pull)
    repository.on_push(_Ci(narrator))
    return site, pull, reviewer


class _Ci:
    """The repository's CI, which wants every source file mentioned in the list of changes."""

    def __init__(self, narrator: Narrator) -> None:
        self._narrator = narrator

    def __call__(self, repository: Repository, branch: str, sha: str) -> None:
        """Run one job on what landed on the pull request's branch."""
        if branch != "describe-durations":
            return
        mentioned = b"durations.py" in repository.read(sha, CHANGES)
        conclusion = "success" if mentioned else "failure"
        said = "All files are mentioned." if mentioned else f"{CHANGES}: durations.py is not mentioned"
        run = repository.workflow_run(sha, "CI", status="in_progress")
        repository.check_run(sha, "changes", conclusion=conclusion, workflow_run=run, log=f"{said}\n")
        run.update(status="completed", conclusion=conclusion)
        self._narrator.tell(f"CI on {sha[:10]}: {conclusion}")


def _show(console: Console, assembly: LocalAssembly, site: Site, pull: Pull, head: str, took: float) -> int:
    repository, bot = site.repository, site.app.bot
    [execution] = assembly.aws.executions()
    console.print(Rule("the commits: the fix, and the follow-up of the CI that failed on it"))
    console.print(Syntax(repository.diff(head, pull.head_sha) or "(none)", "diff", background_color="default"))
    for comment in pull.comments:
        if comment.author is bot:
            console.print(Rule("the summary"))
            console.print(Markdown(as_shown(comment.body)))
    console.print(Rule("the replies"))
    for thread in pull.threads:
        for reply in thread.comments:
            if reply.author is bot:
                console.print(f"{thread.path}:{thread.original_line}  {as_shown(reply.body)}", markup=False)
    console.print(Rule("the round"))
    console.print(
        f"{execution.status.lower()} in {took:.1f} s, with {execution.transitions} state transitions "
        f"and {len(assembly.host.calls)} GitHub calls"
    )
    return 0 if execution.status == "SUCCEEDED" and pull.head_sha != head else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
