"""The table's records as rounds find them: builders, and a table on moto with the adapters that keep it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from threading import RLock
from typing import Any
from unittest.mock import patch

from moto.dynamodb.responses import DynamoHandler

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import Automation, Connection, Decision, Member, Origin, RepositoryRecord
from autoswe.dynamodb.feedback.rounds import RoundTable
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.client import Backoff
from autoswe.dynamodb.table.keys import key
from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.settings.registry import KILL_SWITCH
from tests.support.fake_clock import FakeClock
from tests.support.intake import offers
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER
from tests.support.mock_table import MockTable, mock_table

REPOSITORY_ID = 9001
PULL_NUMBER = 7
BOT_ID = 201
BRANCH = "feature/sums"
OPERATOR = "an-operator"


def connection(**changes: Any) -> Connection:
    """Build the App's connection."""
    return Connection.model_validate(
        {
            "name": CONNECTION,
            "api_url": "https://api.github.test",
            "graphql_url": "https://api.github.test/graphql",
            "app_id": 11,
            "app_slug": "auto-swe",
            "bot_id": BOT_ID,
            "installation_id": 31,
            **changes,
        }
    )


def repository_record(**changes: Any) -> RepositoryRecord:
    """Build what the platform knows of the repository; its gates are to be detected."""
    return RepositoryRecord.model_validate({"repository_id": REPOSITORY_ID, **changes})


def member(**changes: Any) -> Member:
    """Build the reviewer's membership."""
    return Member.model_validate({"account_id": REVIEWER, "login": f"account-{REVIEWER}", "active": True, **changes})


def automation(**changes: Any) -> Automation:
    """Build the automation that reacts to people on the platform's pull requests."""
    return Automation.model_validate({"automation_id": "fix-feedback", "enabled": True, **changes})


def origin(**changes: Any) -> Origin:
    """Build the record of a pull request that a tracked workflow opened and left to people."""
    return Origin.model_validate(
        {
            "kind": OriginKind.TRACKED_WORKFLOW,
            "run_status": RunStatus.AWAITING_HUMAN_MERGE,
            "author_id": BOT_ID,
            "branch": BRANCH,
            **changes,
        }
    )


def offer(number: int = 1) -> Offer:
    """Build the offer of the reviewer's command; another number is another comment and another delivery."""
    return offers.offer(number, delivery=number)


def decision(number: int = 1, **changes: Any) -> Decision:
    """Build the decision on the reviewer's command, made when a fake clock starts."""
    made = {**asdict(offer(number)), "decided_at": "2026-11-30T12:00:00Z", **changes}
    subject = made.pop("subject")
    made["decision_id"] = key("DECISION", made["connection"], made["repository"], subject, made["automation_id"])
    return Decision.model_validate(made)


def save_records(records: RecordTable, clock: FakeClock) -> None:
    """Save everything a round of the reviewer's command is judged by."""
    records.save_connection(connection())
    records.save_repository(CONNECTION, REPOSITORY, repository_record())
    records.save_automation(CONNECTION, automation())
    records.save_origin(CONNECTION, REPOSITORY, PULL_NUMBER, origin())
    records.save_member(CONNECTION, REPOSITORY, member(), by=OPERATOR, at=clock())
    records.save_setting(KILL_SWITCH, True, by=OPERATOR, at=clock())


@dataclass
class MockState:
    """The table on moto and the adapters that keep it; ``requests`` names each request they made, in order."""

    mocked: MockTable
    clock: FakeClock = field(default_factory=FakeClock)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.backoff = Backoff(wait=lambda _: None)
        self.records = RecordTable(self.mocked.table, self.backoff)
        self.rounds = RoundTable(self.mocked.table, self.clock, self.backoff)
        self.intake = IntakeTable(self.mocked.table, self.clock, self.backoff)

    def decide(self, number: int = 1) -> Decision:
        """Record the decision on an offer, as its delivery would."""
        assert self.intake.claim(offer(number)) is Claim.DECIDED
        decided = self.records.decision(decision(number).decision_id)
        assert decided is not None
        return decided

    def suppress(self, number: int) -> str:
        """Let a delivery come while a round holds the pull request, and return its GUID."""
        assert self.intake.claim(offer(number)) is Claim.HELD
        assert self.intake.suppress(offer(number)) is Suppression.SUPPRESSED
        return offer(number).delivery

    def contents(self, *, without: Sequence[str] = ()) -> list[Mapping[str, Any]]:
        """Read the whole table in a fixed order, some attributes left out."""
        rows = sorted(self.mocked.rows(""), key=lambda row: (row["pk"], row["sk"]))
        return [{name: value for name, value in row.items() if name not in without} for row in rows]

    def count(self, model: Any, **_: object) -> None:
        """Note a request that a client is about to make."""
        self.requests.append(model.name)


@contextmanager
def mock_state() -> Iterator[MockState]:
    """Keep a table on moto for as long as the block lasts, safe for threads, which moto is not by itself."""
    lock, call_action = RLock(), DynamoHandler.call_action

    def one_at_a_time(handler: DynamoHandler) -> Any:
        with lock:
            return call_action(handler)

    with patch.object(DynamoHandler, "call_action", one_at_a_time), mock_table() as mocked:
        state = MockState(mocked)
        mocked.client.meta.events.register("before-call.dynamodb", state.count)
        try:
            yield state
        finally:
            mocked.client.meta.events.unregister("before-call.dynamodb", state.count)
