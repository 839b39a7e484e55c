"""The scheduled review on the local assembly: its workflow and container, an organisation's repositories, its runs."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from secrets import token_hex
from typing import Any

import boto3

from autoswe.contracts.records.platform import Connection
from autoswe.rules.review.run.preflight import WITHOUT_MODEL
from autoswe.rules.settings.registry import LIVE_REVIEWS, REVIEWS
from autoswe.runtime.github import REVIEW_PRIVATE_KEY
from autoswe.runtime.release import release_digest
from autoswe.runtime.review.wiring import MODEL_CREDENTIAL
from autoswe.tasks.agent_clis.cli import CREDENTIAL
from infra.local.assembly import ROOT, SECRETS_PREFIX, WORKFLOWS, LocalAssembly, with_agent_command
from infra.local.embedded_aws.account import REGION, arn
from infra.local.embedded_aws.ecs.containers import Container, TaskDefinition
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.access.installations import Installation
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review
from infra.local.github_host.repository import Repository

SCHEDULED_REVIEW = "scheduled_review"
CONNECTION = "review"
SLUG = "auto-swe-review"
APP_PERMISSIONS = {
    "checks": "read",
    "contents": "read",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
_MODEL_CREDENTIAL = token_hex(20)
_FUNCTIONS = ("preflight", "select_pulls", "prepare_review", "apply_review", "report_run")


def review_task(command: Sequence[str] = ()) -> TaskDefinition:
    """Describe the reviewer's task: the image's entry point as a process.

    ``command`` is the program of the reviewer ``command``, which gets the model's credential.
    """
    container = Container(
        name="review",
        argv=(sys.executable, "-m", "functions.review_task.review"),
        essential=True,
        environment={"PYTHONPATH": f"{ROOT}:{ROOT / 'layers/core/python'}"}
        | ({CREDENTIAL: _MODEL_CREDENTIAL} if command else {}),
    )
    task = TaskDefinition("review", (container,))
    return with_agent_command(task, command) if command else task


@dataclass
class ReviewSite:
    """One organisation whose pull requests are reviewed: the assembly, the App with its installation, and the runs."""

    assembly: LocalAssembly
    app: App
    installation: Installation
    machine_arn: str
    release: str
    _numbers: Any = field(default_factory=lambda: count(1))

    @classmethod
    def open(cls, assembly: LocalAssembly, repositories: Sequence[Repository]) -> "ReviewSite":
        """Deploy the workflow, install the review App on an organisation's repositories, and switch reviews on."""
        release = release_digest()
        definition = (WORKFLOWS / f"{SCHEDULED_REVIEW}.asl.json").read_text(encoding="utf-8")
        machine = assembly.aws.deploy(SCHEDULED_REVIEW, definition, _substitutions(release))
        app = assembly.host.add_app(SLUG, permissions=APP_PERMISSIONS)
        installation = assembly.host.install(app, repositories)
        _keep_secret(REVIEW_PRIVATE_KEY, app.private_key_pem)
        if assembly.reviewer != WITHOUT_MODEL:
            _keep_secret(MODEL_CREDENTIAL, _MODEL_CREDENTIAL)
        assembly.records.save_connection(
            Connection(
                name=CONNECTION,
                api_url=assembly.host.api_url,
                graphql_url=assembly.host.graphql_url,
                app_id=app.app_id,
                app_slug=app.slug,
                bot_id=app.bot.id,
                installation_id=installation.id,
            )
        )
        assembly.records.save_setting(REVIEWS, True, by="operator", at=assembly.clock.now())
        return cls(assembly, app, installation, machine, release)

    def include(self, repository: Repository) -> None:
        """Install the App on one more repository of the organisation."""
        self.installation.repositories.append(repository)

    def go_live(self, on: bool = True) -> None:
        """Let schedules run live, or dry again."""
        self.assembly.records.save_setting(LIVE_REVIEWS, on, by="operator", at=self.assembly.clock.now())

    def begin(self, **given: object) -> str:
        """Start a run with an execution's input, and return its ARN."""
        name = f"review-{next(self._numbers)}"
        return self.assembly.aws.start(self.machine_arn, name, json.dumps({"connection": CONNECTION, **given}))

    def run(self, org: str, **inputs: object) -> Execution:
        """Run a review of an organisation to its end, started by a person."""
        execution = self.begin(inputs={"org": org, **inputs})
        return self.assembly.aws.wait(execution, 300)

    def approvals(self, pull: Pull) -> list[Review]:
        """List the App's own reviews of a pull request."""
        return [review for review in pull.reviews if review.author is self.app.bot]

    def read(self, key: str) -> bytes:
        """Read an object of a run."""
        client = boto3.client("s3", region_name=REGION)
        content: bytes = client.get_object(Bucket=self.assembly.aws.bucket_name, Key=key)["Body"].read()
        return content

    def report(self, execution: Execution) -> dict[str, Any]:
        """Read the ``report.json`` that an execution's output names."""
        loaded: dict[str, Any] = json.loads(self.read(execution.output["report"]))
        return loaded

    def page(self, execution: Execution) -> str:
        """Read the ``report.md`` that an execution's output names."""
        return self.read(execution.output["page"]).decode()


def _keep_secret(name: str, value: str) -> None:
    client = boto3.client("secretsmanager", region_name=REGION)
    client.create_secret(Name=f"{SECRETS_PREFIX}/{CONNECTION}/{name}", SecretString=value)


def _substitutions(release: str) -> Mapping[str, str]:
    names = {function: function.title().replace("_", "") for function in _FUNCTIONS}
    return {name: arn("lambda", f"function:{function}") for function, name in names.items()} | {
        "ReleaseDigest": release,
        "Cluster": arn("ecs", "cluster/local"),
        "ReviewTask": arn("ecs", "task-definition/review"),
        "SubnetA": "subnet-a",
        "SubnetB": "subnet-b",
        "SecurityGroup": "sg-local",
    }
