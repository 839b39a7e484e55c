"""The surroundings of a sweep: the table on moto, and in memory the workflow and each App's webhook."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from autoswe.contracts.intake.sweep import Swept, SweptConnection
from autoswe.contracts.records.platform import Connection
from autoswe.dynamodb.intake.deliveries import DeliveryTable
from autoswe.dynamodb.intake.pending_intakes import PendingIntakeTable
from autoswe.dynamodb.intake.unstarted import UnstartedTable
from autoswe.dynamodb.records.decisions import DecisionTable
from autoswe.ports.intake.claims import Claim
from autoswe.ports.intake.starts import HeadHost
from autoswe.rules.intake.redelivery import Attempt
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.steps.intake import resolve_intake as resolving
from autoswe.steps.intake import start_workflow as starting
from autoswe.steps.intake.sweep_deliveries import Ports, sweep_deliveries
from tests.support.feedback.state import OPERATOR, MockState, connection
from tests.support.intake import offers
from tests.support.intake.deliveries import CONNECTION

AN_HOUR = timedelta(hours=1)


def attempt(number: int, status: int, at: datetime, *, event: str = "issue_comment", first: bool = True) -> Attempt:
    """Build an attempt at the delivery of a new comment; the delivery and its only attempt have one number."""
    return Attempt(number, offers.guid(number), event, "created", at, status, redelivery=not first)


@dataclass
class Webhook:
    """One App's webhook as the host tells of it; ``before_page`` acts just before a page is read, by its number."""

    attempts: list[list[Attempt]] = field(default_factory=list)
    refusals: dict[int, Exception] = field(default_factory=dict)
    before_page: Callable[[int], None] = lambda _number: None
    read: int = 0
    asked: list[int] = field(default_factory=list)

    def pages(self) -> Iterator[tuple[Attempt, ...]]:
        for number, page in enumerate(self.attempts, start=1):
            self.before_page(number)
            self.read += 1
            yield tuple(page)

    def ask_again(self, attempt_id: int) -> None:
        if attempt_id in self.refusals:
            raise self.refusals[attempt_id]
        self.asked.append(attempt_id)


@dataclass
class Surroundings:
    """What a sweep reads and writes; ``started`` names the executions that were started, once each."""

    state: MockState
    webhooks: dict[str, Webhook] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.switch(on=True)
        self.connect(CONNECTION)

    def switch(self, *, on: bool) -> None:
        """Save the kill switch."""
        self.state.records.save_setting(KILL_SWITCH, on, by=OPERATOR, at=self.state.clock())

    def connect(self, name: str) -> Webhook:
        """Save a connection."""
        self.state.records.save_connection(connection(name=name))
        return self.webhooks.setdefault(name, Webhook())

    @property
    def webhook(self) -> Webhook:
        """The webhook of the first connection."""
        return self.webhooks[CONNECTION]

    def lose(self, *numbers: int, status: int = 500, ago: timedelta = AN_HOUR) -> None:
        """Let GitHub have failed to deliver, once each, on one page."""
        self.webhook.attempts.append([attempt(number, status, self.state.clock() - ago) for number in numbers])

    def decide(self, pull: int) -> str:
        """Record a decision on a pull request of its own."""
        offered = offers.offer(500 + pull, delivery=pull, pull=pull)
        assert self.state.intake.claim(offered) is Claim.DECIDED
        return f"DECISION#{CONNECTION}#octo/widgets#{offered.subject}#fix-feedback"

    def start(self, name: str, _execution_input: str) -> bool:
        if name in self.started:
            return False
        self.started.append(name)
        return True

    def ports(self) -> Ports:
        """Join the step to all this."""
        table, clock, backoff = self.state.mocked.table, self.state.clock, self.state.backoff
        return Ports(
            clock=clock,
            starting=starting.Ports(DecisionTable(table, backoff), self.state.rounds, self),
            unstarted=UnstartedTable(table, backoff),
            resolving=resolving.Ports(
                ledger=self.state.intake,
                intakes=PendingIntakeTable(table, clock, backoff),
                connections=self.state.records,
                open_host=self._no_host,
            ),
            connections=self.state.records,
            deliveries=DeliveryTable(table, clock, backoff),
            open_host=self._open,
        )

    def sweep(self) -> Swept:
        """Sweep once."""
        return sweep_deliveries(self.ports())

    def swept(self) -> SweptConnection:
        """Sweep once, without any failure, and return what was found of the first connection."""
        told = self.sweep()
        assert told.failures == ()
        [found] = [one for one in told.connections if one.connection == CONNECTION]
        return found

    def _no_host(self, opened: Connection, repository: int) -> HeadHost:
        raise AssertionError(f"asked {opened.name} about {repository}")

    def _open(self, opened: Connection) -> Webhook:
        return self.webhooks[opened.name]


def asked(told: Swept) -> dict[str, Sequence[str]]:
    """Say which deliveries were asked for, by connection."""
    return {one.connection: one.asked for one in told.connections}
