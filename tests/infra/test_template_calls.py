"""What the functions ask of AWS in a real round is what their roles allow, no less and no more."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import pytest
from botocore.client import BaseClient

from autoswe.contracts.rows import Automation
from autoswe.rules.feedback.triggers import PullRequestScope
from autoswe.rules.settings.registry import AGENT_RUNS, BUDGET, OTHER_PULL_REQUESTS
from infra.local.assembly import SECRETS_PREFIX, LocalAssembly
from infra.local.embedded_aws.functions import Invocation, Outcome
from infra.local.github_host.accounts import Account
from infra.local.github_host.reviews import InlineComment
from tests.infra.functions_table import read_rows, row_kinds
from tests.infra.template import Right, synthesise
from tests.scenarios.agent_runs import opened_by_an_agent
from tests.scenarios.story import SUGGESTION, Story
from tests.support.repairing_agent import RepairingAgent, want_documentation

TABLE = "<StateTable.Arn>"
INDEX = f"{TABLE}/index/unstarted"
ROUNDS = "<StateBucket.Arn>/rounds/*"
READS = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"}
LAMBDAS = sorted(set(read_rows()) - {"fixer_task"})


@dataclass(frozen=True)
class Need:
    """One action that a call performs, on a resource, and the partition key of the row it is about."""

    action: str
    resource: str
    row: str = ""

    def is_met_by(self, right: Right) -> bool:
        if self.action != right.action or not fnmatchcase(self.resource, right.resource):
            return False
        if not right.condition:
            return True
        patterns = json.loads(right.condition)["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
        return any(fnmatchcase(self.row, pattern) for pattern in patterns)


@dataclass
class Recorder:
    """Notes what each function needs, by watching the calls that clients make while the function runs."""

    needs: dict[str, set[Need]] = field(default_factory=lambda: defaultdict(set))
    running: threading.local = field(default_factory=threading.local)

    def began(self, invocation: Invocation) -> None:
        self.running.function = invocation.function

    def ended(self, _invocation: Invocation, _outcome: Outcome) -> None:
        self.running.function = None

    def called(self, service: str, operation: str, parameters: Mapping[str, Any]) -> None:
        function = getattr(self.running, "function", None)
        if function is not None:
            self.needs[function] |= set(read_needs(service, operation, parameters))


def read_needs(service: str, operation: str, parameters: Mapping[str, Any]) -> Iterator[Need]:
    """Say which actions a call needs (Service Authorization Reference)."""
    match service:
        case "dynamodb":
            yield from row_needs(operation, parameters)
        case "s3":
            version = "Version" if "VersionId" in parameters else ""
            yield Need(f"s3:{operation}{version}", f"<StateBucket.Arn>/{parameters['Key']}")
        case "secretsmanager":
            name = parameters["SecretId"].replace(SECRETS_PREFIX, "autoswe/autoswe")
            yield Need(f"secretsmanager:{operation}", f"arn:aws:secretsmanager:REGION:ACCOUNT:secret:{name}-a1B2c3")
        case "sfn":
            machine = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-feedback_round"
            yield Need(f"states:{operation}", machine)
        case "sts":
            yield Need(f"sts:{operation}", "<RoundSigner.Arn>")
        case _:
            raise AssertionError(f"no role was considered for {service} {operation}")


def row_needs(operation: str, parameters: Mapping[str, Any]) -> Iterator[Need]:
    """Take a transaction apart: it needs the rights of its parts and none of its own."""
    match operation:
        case "TransactGetItems" | "TransactWriteItems":
            for part in parameters["TransactItems"]:
                ((kind, request),) = part.items()
                yield row_need(f"{kind}Item", request)
        case "BatchGetItem":
            for request in parameters["RequestItems"].values():
                yield from (row_need(operation, {"Key": key}) for key in request["Keys"])
        case _:
            yield row_need(operation, parameters)


def row_need(action: str, request: Mapping[str, Any]) -> Need:
    if "IndexName" in request:
        return Need(f"dynamodb:{action}", f"{TABLE}/index/{request['IndexName']}")
    key = request.get("Key") or request.get("Item") or {"pk": request["ExpressionAttributeValues"][":pk"]}
    return Need(f"dynamodb:{action}", TABLE, key["pk"]["S"])


@dataclass
class Interference:
    """What goes wrong or comes between while functions are called, and notes what they need otherwise.

    Functions in ``failing`` fail before they do anything; what is in ``once`` happens just before the next call.
    """

    assembly: LocalAssembly
    recorder: Recorder = field(default_factory=Recorder)
    failing: set[str] = field(default_factory=set)
    once: dict[str, Callable[[], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.assembly.aws.hooks.before_invoke = self._before
        self.assembly.aws.hooks.after_invoke = self.recorder.ended

    def _before(self, invocation: Invocation) -> None:
        if invocation.function in self.failing:
            raise ConnectionError("lost")
        self.once.pop(invocation.function, lambda: None)()
        self.recorder.began(invocation)

    def sweep(self) -> None:
        """Let the two minutes pass in which nothing is swept, and sweep."""
        self.assembly.clock.advance(121)
        self.assembly.sweep()


@pytest.fixture(scope="module")
def needs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[Need]]]:
    """Play a round with its follow-up, rounds that are suppressed, skipped and offered again; find what was lost."""
    make_call = BaseClient._make_api_call

    def watched(client: BaseClient, operation: str, parameters: Mapping[str, Any]) -> Any:
        service = client.meta.service_model.service_id.lower().replace(" ", "")
        interference.recorder.called(service, operation, parameters)
        return make_call(client, operation, parameters)

    agent = RepairingAgent.install(tmp_path_factory.mktemp("agent"))
    root = tmp_path_factory.mktemp("assembly")
    with pytest.MonkeyPatch.context() as patches, LocalAssembly(root, agent_command=agent.command) as assembly:
        interference = Interference(assembly)
        assembly.records.save_setting(BUDGET, 1_000, by="operator", at=assembly.clock.now())
        patches.setattr(BaseClient, "_make_api_call", watched)
        be_followed_up(Story.begin(assembly))
        be_skipped(Story.begin(assembly), interference)
        be_lost(Story.begin(assembly), interference)
        lose_an_intake(Story.begin(assembly), interference)
        act_on_others(Story.begin(assembly))
        follow_up_an_agent_run(opened_by_an_agent(Story.begin(assembly)))
        yield interference.recorder.needs


def be_followed_up(story: Story) -> None:
    """Let CI fail on the fix, and have that repaired."""
    want_documentation(story.repository)
    story.request_changes()
    story.finish()
    assert len(story.commits()) == 2
    assert story.fire_outcomes() == ["succeeded"]


def be_skipped(story: Story, interference: Interference) -> None:
    """Skip a round, and when the delivery that was suppressed meanwhile is offered again, have another come first."""
    other = colleague(story)
    interference.once["gather_feedback"] = lambda: forbid_and_suppress(story, other)
    interference.once["resolve_intake"] = lambda: story.pull.comment(other, "/auto-swe fix")
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]


def be_lost(story: Story, interference: Interference) -> None:
    """Lose a delivery, and then the start of the decision on it."""
    story.settle_ci("success")
    interference.failing = {"receive_delivery"}
    story.request_changes()
    interference.failing = {"start_workflow"}
    interference.sweep()
    story.finish()
    assert story.fire_outcomes() == []
    interference.failing = set()
    interference.sweep()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]


def lose_an_intake(story: Story, interference: Interference) -> None:
    """Skip a round, and lose the delivery that is offered again until another has the pull request."""
    other = colleague(story)
    interference.once["gather_feedback"] = lambda: forbid_and_suppress(story, other)
    interference.failing = {"resolve_intake"}
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["skipped"]
    interference.failing = {"start_workflow"}
    story.pull.comment(other, "/auto-swe fix")
    story.finish()
    interference.failing = set()
    interference.sweep()
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]


def act_on_others(story: Story) -> None:
    """Ask for a round on a pull request that the platform did not open, where an automation takes such ones."""
    records, connection = story.assembly.records, story.site.connection
    records.save_setting(OTHER_PULL_REQUESTS, True, by="operator", at=story.assembly.clock.now())
    takes = (PullRequestScope.PLATFORM, PullRequestScope.OTHERS)
    automation = Automation(automation_id="address-pr-feedback", enabled=True, pull_requests=takes)
    records.save_automation(connection, automation)
    pull = story.repository.open_pull("feature", "main", story.stranger, "Theirs")
    pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.settle_ci("success")
    pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    [fire] = story.assembly.pull_rows(story.site, pull, "FIRE#")
    assert fire["outcome"] == "succeeded"


def follow_up_an_agent_run(story: Story) -> None:
    """Have an agent run open the pull request, and a round follow it up."""
    assembly = story.assembly
    assembly.records.save_setting(AGENT_RUNS, True, by="operator", at=assembly.clock.now())
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]


def colleague(story: Story) -> Account:
    other = story.assembly.host.add_user(f"{story.reviewer.login}-2")
    story.assembly.link_member(story.site, other)
    return other


def forbid_and_suppress(story: Story, other: Account) -> None:
    """Take the reviewer's permission away, and have somebody else ask for the same while the round runs."""
    story.repository.collaborators.set_permission(story.reviewer, "read")
    story.pull.review(other, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.pull.comment(other, "/auto-swe fix")


def test_every_function_took_part(needs: dict[str, set[Need]]) -> None:
    assert set(needs) == set(synthesise().functions())


def test_a_function_asks_for_nothing_that_its_role_forbids(needs: dict[str, set[Need]]) -> None:
    template = synthesise()
    forbidden = {
        (function, need)
        for function, asked in needs.items()
        for need in asked
        if not any(need.is_met_by(right) for right in template.rights(template.role_of(function)))
    }
    assert forbidden == set()


def test_a_role_allows_nothing_on_rows_and_artifacts_that_its_function_never_asks_for(
    needs: dict[str, set[Need]],
) -> None:
    template = synthesise()
    idle = {
        (function, right)
        for function in needs
        for right in template.rights(template.role_of(function))
        if right.resource in {TABLE, INDEX, ROUNDS} and not any(need.is_met_by(right) for need in needs[function])
    }
    assert idle == set()


def test_a_role_allows_writing_to_no_partition_that_its_function_never_writes_to(needs: dict[str, set[Need]]) -> None:
    template = synthesise()
    for function, asked in needs.items():
        allowed = {
            pattern
            for right in template.rights(template.role_of(function))
            if right.condition
            for pattern in json.loads(right.condition)["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
        }
        written = {f"{need.row.split('#')[0]}#*" for need in asked if need.action in WRITES}
        assert allowed == written, function


@pytest.mark.parametrize("function", LAMBDAS)
def test_the_rows_that_a_function_reads_are_those_the_table_names(needs: dict[str, set[Need]], function: str) -> None:
    read = {need.row.split("#")[0] for need in needs[function] if need.action in READS and need.resource == TABLE}
    assert row_kinds(function, "reads") == read
