"""The system assembled in one process: the workflows, handlers and containers that the cloud assembly deploys.

What differs is what they stand on: an embedded AWS and a local GitHub host.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

import boto3

from autoswe.contracts.records.platform import Automation, Connection, Member, Origin, RepositoryRecord
from autoswe.contracts.records.runs import RunReport
from autoswe.contracts.review.session import Reviewer
from autoswe.dynamodb.table.attributes import from_item, to_item
from autoswe.dynamodb.table.keys import pull_partition
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.triggers import TriggerKind
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.runtime import wiring
from autoswe.runtime.process import Process, running_as
from infra.local.embedded_aws.account import ACCOUNT_ID, REGION, arn
from infra.local.embedded_aws.api_gateway import ApiGateway
from infra.local.embedded_aws.aws import EmbeddedAws
from infra.local.embedded_aws.clock import LocalClock
from infra.local.embedded_aws.ecs.containers import Container, TaskDefinition
from infra.local.embedded_aws.event_bus import BusDefinition
from infra.local.github_host.access.installations import Installation
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository

ROOT = Path(__file__).parents[2]
FUNCTIONS = ROOT / "functions"
WORKFLOWS = ROOT / "infra" / "workflows"
SECRETS_PREFIX = "autoswe/local"
FEEDBACK_ROUND = "feedback_round"
RUN_BUS = "autoswe-runs"

APP_PERMISSIONS = {
    "actions": "read",
    "checks": "read",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
APP_EVENTS = ("issue_comment", "pull_request_review", "pull_request_review_comment")


def load_handlers() -> dict[str, Callable[[Any, Any], Any]]:
    """Load every Lambda's ``handler.handler``, as the Lambda runtime does."""
    handlers: dict[str, Callable[[Any, Any], Any]] = {}
    for file in sorted(FUNCTIONS.glob("*/handler.py")):
        spec = importlib.util.spec_from_file_location(f"functions.{file.parent.name}.handler", file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        handlers[file.parent.name] = module.handler
    return handlers


def fixer_task() -> TaskDefinition:
    """Describe the fixer's task: the image's three entry points as processes, in the order Fargate starts them."""
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'layers/core/python'}"}

    def container(name: str, after: str | None = None, *, essential: bool = False) -> Container:
        return Container(
            name=name,
            argv=(sys.executable, "-m", f"functions.fixer_task.{name}"),
            essential=essential,
            depends_on=((after, "COMPLETE"),) if after else (),
            environment=path,
        )

    return TaskDefinition(
        "fixer", (container("agent"), container("collect", "agent"), container("gates", "collect", essential=True))
    )


def with_agent_command(task: TaskDefinition, command: Sequence[str]) -> TaskDefinition:
    """Have a task's first container run a program as its agent or reviewer: the adapter ``command``."""
    agent, *others = task.containers
    environment = {**agent.environment, "AUTOSWE_AGENT_COMMAND": json.dumps(list(command))}
    return replace(task, containers=(replace(agent, environment=environment), *others))


@dataclass(frozen=True)
class Site:
    """One repository that auto-swe works on: its connection's name, the App, the repository and the host of both."""

    connection: str
    app: App
    repository: Repository
    host: GitHubHost


class LocalAssembly:
    """Everything up and joined while the block lasts; one at a time in a process.

    ``root`` holds the repositories and what the containers wrote. ``port`` is the webhook's (0 takes a free one).
    ``clock`` is the time that everything in it tells. ``task_timeout_seconds`` replaces the fixer task's time-out, and
    ``task`` its definition. Without ``pump_in_background`` the table's stream moves only when it is pumped.
    ``run_reporters`` are the accounts and roles that may report runs.
    ``agent_command`` is the program that is the fixer's agent; with none, reviewers' suggestions are applied alone.
    ``more_tasks`` are those of other workflows that are to run here; ``reviewer`` is the one that reviews use.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: LocalClock | None = None,
        port: int = 0,
        task_timeout_seconds: float | None = None,
        task: TaskDefinition | None = None,
        pump_in_background: bool = True,
        run_reporters: tuple[str, ...] = (ACCOUNT_ID,),
        agent_command: Sequence[str] = (),
        more_tasks: Sequence[TaskDefinition] = (),
        reviewer: Reviewer = "rules",
    ) -> None:
        self.clock = clock or LocalClock()
        self.reviewer = reviewer
        self.machine_arn = arn("states", f"stateMachine:{FEEDBACK_ROUND}")
        self.host = GitHubHost(self.clock.now, root / "repositories")
        task = task or fixer_task()
        self.aws = EmbeddedAws(
            load_handlers(),
            [with_agent_command(task, agent_command) if agent_command else task, *more_tasks],
            clock=self.clock,
            failed_execution_targets={FEEDBACK_ROUND: "close_round", "scheduled_review": "report_run"},
            bus=BusDefinition(RUN_BUS, _run_reports(), "record_run", run_reporters),
            task_timeout_seconds=task_timeout_seconds,
            root=root / "tasks",
            pump_in_background=pump_in_background,
        )
        self.webhook_url = ""
        self._port = port
        self._leave = ExitStack()
        self.process = Process(
            {
                "AWS_REGION": REGION,
                "AUTOSWE_TABLE": self.aws.table_name,
                "AUTOSWE_BUCKET": self.aws.bucket_name,
                "AUTOSWE_SECRETS_PREFIX": SECRETS_PREFIX,
                "AUTOSWE_FEEDBACK_ROUND_ARN": self.machine_arn,
                "AUTOSWE_SIGNER_ROLE_ARN": arn("iam", "role/signer"),
                "AUTOSWE_AGENT": "command" if agent_command else "suggestions",
                "AUTOSWE_REVIEWER": reviewer,
            },
            self.clock.now,
            self.clock.advance,
        )

    def __enter__(self) -> Self:
        with ExitStack() as entering:
            entering.enter_context(self.host)
            entering.enter_context(self.aws)
            entering.enter_context(running_as(self.process))
            gateway = ApiGateway({"POST /github/{connection}": "receive_delivery"}, self.aws.functions, self.clock.now)
            self.webhook_url = entering.enter_context(gateway.serving(port=self._port))
            self.aws.deploy(FEEDBACK_ROUND, (WORKFLOWS / f"{FEEDBACK_ROUND}.asl.json").read_text(), _substitutions())
            self.records = wiring.records(self.process)
            self.rounds = wiring.rounds(self.process)
            self.records.save_setting(KILL_SWITCH, True, by="operator", at=self.clock.now())
            self._leave = entering.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave.close()

    def connect(
        self,
        repository: Repository,
        name: str = "local",
        *,
        host: GitHubHost | None = None,
        record: RepositoryRecord | None = None,
        triggers: tuple[TriggerKind, ...] = (TriggerKind.CHANGES_REQUESTED, TriggerKind.COMMAND),
    ) -> Site:
        """Install the feedback App on a repository and save what the platform knows of both.

        ``host`` is where the repository is: the assembly's own, or another one that is up beside it.
        """
        webhook_secret = token_hex(20)
        host = host or self.host
        app = host.add_app(
            f"auto-swe-{name}",
            permissions=APP_PERMISSIONS,
            events=APP_EVENTS,
            webhook_url=f"{self.webhook_url}/github/{name}",
            webhook_secret=webhook_secret,
        )
        self.keep_secrets(name, app, webhook_secret)
        # Installing is announced to the webhook, which must know the connection by then.
        installation = host.install(app, [repository])
        return self.adopt(Site(name, app, repository, host), installation, record=record, triggers=triggers)

    def keep_secrets(self, connection: str, app: App, webhook_secret: str) -> None:
        """Store a connection's secrets where the functions read them."""
        client = boto3.client("secretsmanager", region_name=REGION)
        for name, value in (("webhook-secrets", json.dumps([webhook_secret])), ("private-key", app.private_key_pem)):
            client.create_secret(Name=f"{SECRETS_PREFIX}/{connection}/{name}", SecretString=value)

    def adopt(
        self,
        site: Site,
        installation: Installation,
        *,
        record: RepositoryRecord | None = None,
        triggers: tuple[TriggerKind, ...] = (TriggerKind.CHANGES_REQUESTED, TriggerKind.COMMAND),
    ) -> Site:
        """Save what the platform knows of an installed App and its repository."""
        app, repository = site.app, site.repository
        self.records.save_connection(
            Connection(
                name=site.connection,
                api_url=site.host.api_url,
                graphql_url=site.host.graphql_url,
                app_id=app.app_id,
                app_slug=app.slug,
                bot_id=app.bot.id,
                installation_id=installation.id,
            )
        )
        automation = Automation(automation_id="address-pr-feedback", enabled=True, triggers=triggers)
        self.records.save_automation(site.connection, automation)
        self.records.save_repository(
            site.connection, repository.full_name, record or RepositoryRecord(repository_id=repository.id)
        )
        return site

    def link_member(self, site: Site, account: Account, *, permission: str = "write") -> None:
        """Make an account an active member here, and give it a permission on the host."""
        site.repository.collaborators.set_permission(account, permission)
        member = Member(account_id=account.id, login=account.login, active=True)
        self.records.save_member(site.connection, site.repository.full_name, member, by="operator", at=self.clock.now())

    def record_origin(self, site: Site, pull: Pull) -> None:
        """Record that a parked run of ours opened a pull request."""
        origin = Origin(
            kind=OriginKind.TRACKED_WORKFLOW,
            run_status=RunStatus.AWAITING_HUMAN_MERGE,
            author_id=pull.author.id,
            branch=pull.head_ref,
        )
        self.records.save_origin(site.connection, site.repository.full_name, pull.number, origin)

    def report_run(self, report: RunReport) -> None:
        """Put a report on the bus, as the system does whose run it is about, and wait until it is dealt with."""
        ((source,), (detail_type,)) = _run_reports().values()
        detail = report.model_dump_json(exclude_none=True)
        entry = {"EventBusName": RUN_BUS, "Source": source, "DetailType": detail_type, "Detail": detail}
        boto3.client("events", region_name=REGION).put_events(Entries=[entry])
        if self.aws.bus:
            self.aws.bus.settle()

    def sweep(self) -> dict[str, Any]:
        """Call sweep_deliveries as its schedule does, and return what it tells."""
        swept: dict[str, Any] = self.aws.functions.invoke("sweep_deliveries", {})
        return swept

    def pull_rows(self, site: Site, pull: Pull, prefix: str = "") -> list[dict[str, Any]]:
        """Read a pull request's rows whose sort key starts with ``prefix``, in order."""
        partition = pull_partition(site.connection, site.repository.full_name, pull.number)
        rows = boto3.client("dynamodb", region_name=REGION).query(
            TableName=self.aws.table_name,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues=to_item({":pk": partition}),
        )["Items"]
        return [dict(from_item(row)) for row in rows if row["sk"]["S"].startswith(prefix)]


def _run_reports() -> dict[str, list[str]]:
    """Read what an event bears that reports a run, as the cloud assembly reads it too."""
    reports: dict[str, list[str]] = json.loads((ROOT / "infra" / "run_reports.json").read_text())
    return reports


def _substitutions() -> dict[str, str]:
    functions = ("gather_feedback", "prepare_task", "push_fix", "poll_ci", "respond", "close_round")
    names = {function: function.title().replace("_", "") for function in functions}
    return {name: arn("lambda", f"function:{function}") for function, name in names.items()} | {
        "Cluster": arn("ecs", "cluster/local"),
        "FixerTask": arn("ecs", "task-definition/fixer"),
        "SubnetA": "subnet-a",
        "SubnetB": "subnet-b",
        "SecurityGroup": "sg-local",
    }
