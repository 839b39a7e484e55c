"""A program of the adapter ``command`` that repairs what a failed CI asks for, and a CI that asks for it."""

from dataclasses import dataclass
from pathlib import Path

from infra.local.github_host.repository import Repository
from tests.tasks.agent_clis.stand_ins import install

DOCUMENTED = '"""Totals."""\n\n'
LOG = "total.py has no documentation\nE   assert None\n"

_SCRIPT = f"""
told = pathlib.Path(sys.argv[1])
(told / f"{{len(list(told.iterdir()))}}.txt").write_text(prompt)
if "CI_FOLLOW_UP" in prompt and (told.parent / "repairs").exists():
    source = pathlib.Path("total.py")
    source.write_text({DOCUMENTED!r} + source.read_text())
finish(say(outcome="needs_person", places=[]))
"""


@dataclass(frozen=True)
class RepairingAgent:
    """What the program was told, prompt by prompt, and whether it repairs anything."""

    root: Path

    @classmethod
    def install(cls, root: Path) -> "RepairingAgent":
        """Put the program below ``root``, ready to repair."""
        install(root, "command", _SCRIPT)
        agent = cls(root)
        agent._told.mkdir()
        agent.begin()
        return agent

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return str(self.root / "my-agent"), str(self._told)

    def begin(self, *, repairs: bool = True) -> None:
        """Forget what came before."""
        for prompt in self._told.glob("*.txt"):
            prompt.unlink()
        willing = self.root / "repairs"
        willing.touch() if repairs else willing.unlink(missing_ok=True)

    def prompts(self) -> list[str]:
        """List every prompt since, in order."""
        return [prompt.read_text() for prompt in sorted(self._told.glob("*.txt"))]

    @property
    def _told(self) -> Path:
        return self.root / "told"


def conclude_ci(repository: Repository, sha: str, conclusion: str, log: str = LOG) -> None:
    """Run CI's one job on a commit to its end."""
    run = repository.workflow_run(sha, "CI", status="in_progress")
    repository.check_run(sha, "docs", conclusion=conclusion, workflow_run=run, log=log)
    run.update(status="completed", conclusion=conclusion)


def want_documentation(repository: Repository, log: str = LOG) -> None:
    """Let CI ask for documentation on each commit of the branch ``feature`` as soon as it lands."""

    def landed(where: Repository, branch: str, sha: str) -> None:
        if branch == "feature":
            documented = where.read(sha, "total.py").decode().startswith(DOCUMENTED)
            conclude_ci(where, sha, "success" if documented else "failure", log)

    repository.on_push(landed)
