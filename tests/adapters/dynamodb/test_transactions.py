"""What a cancelled transaction means, by the position of its reasons, and how long a busy table is asked again."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from autoswe.dynamodb.intake.claims import claim_verdict, suppression_verdict
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.transactions import Reasons, UnexpectedCancellation
from autoswe.ports.intake.claims import Claim, Suppression
from tests.support.fake_clock import FakeClock
from tests.support.intake.deliveries import CONNECTION, REPOSITORY
from tests.support.intake.offers import offer

FAILED = "ConditionalCheckFailed"
CONFLICT = "TransactionConflict"
PASSING = [CONFLICT, "ThrottlingError", "ProvisionedThroughputExceeded"]
CODES = ["None", FAILED, *PASSING, "ValidationError", "SomethingNew"]
every_cancellation = st.sampled_from([codes for codes in product(CODES, repeat=3) if set(codes) != {"None"}])


@pytest.mark.parametrize(("reasons", "verdict"), [
    ((), Claim.DECIDED),
    ((FAILED, "None", "None"), Claim.DUPLICATE),
    ((FAILED, FAILED, "None"), Claim.DUPLICATE),
    ((FAILED, CONFLICT, "None"), Claim.DUPLICATE),
    (("None", "None", FAILED), Claim.DUPLICATE),
    (("None", FAILED, FAILED), Claim.DUPLICATE),
    (("None", FAILED, "None"), Claim.HELD),
    (("None", FAILED, CONFLICT), None),
    ((CONFLICT, FAILED, "None"), None),
    (("None", CONFLICT, "None"), None),
])  # fmt: skip
def test_a_claims_reasons_are_read_by_their_position(reasons: Reasons, verdict: Claim | None) -> None:
    assert claim_verdict(reasons) is verdict


@given(every_cancellation)
def test_a_claim_that_was_cancelled_is_never_decided_and_only_a_failed_condition_makes_it_a_duplicate(
    reasons: Reasons,
) -> None:
    verdict = claim_verdict(reasons)
    assert verdict is not Claim.DECIDED
    assert (verdict is Claim.DUPLICATE) is (FAILED in (reasons[0], reasons[2]))


@pytest.mark.parametrize(("reasons", "verdict"), [
    ((), Suppression.SUPPRESSED),
    ((FAILED, "None", "None"), Suppression.FREED),
    ((FAILED, FAILED, "None"), Suppression.FREED),
    (("None", FAILED, "None"), Suppression.DUPLICATE),
    ((CONFLICT, FAILED, "None"), None),
    (("None", "None", CONFLICT), None),
])  # fmt: skip
def test_a_suppressions_reasons_are_read_by_their_position(reasons: Reasons, verdict: Suppression | None) -> None:
    assert suppression_verdict(reasons) is verdict


class ScriptedClient:
    """Answers each call with the next of its answers; the last one stays."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.calls = 0

    def _answer(self) -> Any:
        self.calls += 1
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def transact_write_items(self, **_parameters: Any) -> Any:
        return self._answer()

    def batch_get_item(self, **_parameters: Any) -> Any:
        return self._answer()


def cancelled(*codes: str) -> ClientError:
    reasons = [{"Code": code} for code in codes]
    response = {"Error": {"Code": "TransactionCanceledException", "Message": ""}, "CancellationReasons": reasons}
    return ClientError(response, "TransactWriteItems")


def failed(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": ""}}, "TransactWriteItems")


class Waiting:
    """Counts the seconds that are waited for."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def backoff(self, jitter: float = 1.0) -> Backoff:
        return Backoff(wait=self.seconds.append, jitter=lambda: jitter)


def asking(client: ScriptedClient, backoff: Backoff) -> IntakeTable:
    return IntakeTable(Table("table", lambda: client), FakeClock(), backoff)


BUSY = [
    *(cancelled("None", code, "None") for code in PASSING),
    cancelled(CONFLICT, CONFLICT, CONFLICT),
    failed("ThrottlingException"),
    failed("ProvisionedThroughputExceededException"),
    failed("RequestLimitExceeded"),
    failed("TransactionInProgressException"),
]
Attempt = Callable[[IntakeTable], object]
ATTEMPTS: list[Attempt] = [lambda intake: intake.claim(offer()), lambda intake: intake.suppress(offer())]


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize(("attempt", "done"), list(zip(ATTEMPTS, (Claim.DECIDED, Suppression.SUPPRESSED), strict=True)))
def test_a_busy_table_is_asked_again(busy: ClientError, attempt: Attempt, done: object) -> None:
    waiting = Waiting()
    assert attempt(asking(ScriptedClient(busy, busy, {}), waiting.backoff())) is done
    assert waiting.seconds == [0.05, 0.1]


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("jitter", [0.0, 1.0])
def test_a_table_that_stays_busy_is_asked_for_two_seconds_at_most_and_nothing_is_taken_for_a_duplicate(
    busy: ClientError, attempt: Attempt, jitter: float
) -> None:
    waiting = Waiting()
    with pytest.raises(Contended):
        attempt(asking(ScriptedClient(busy), waiting.backoff(jitter)))
    assert len(waiting.seconds) >= 3
    assert sum(waiting.seconds) <= 2


@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("code", ["ValidationError", "ItemCollectionSizeLimitExceeded", "SomethingNew"])
def test_a_reason_that_is_not_understood_is_raised_at_once(attempt: Attempt, code: str) -> None:
    client = ScriptedClient(cancelled("None", code, "None"))
    with pytest.raises(UnexpectedCancellation, match=code):
        attempt(asking(client, Waiting().backoff()))
    assert client.calls == 1


@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("code", ["AccessDeniedException", "ResourceNotFoundException", "InternalServerError"])
def test_any_other_failure_is_raised_as_it_came(attempt: Attempt, code: str) -> None:
    client = ScriptedClient(failed(code))
    with pytest.raises(ClientError, match=code):
        attempt(asking(client, Waiting().backoff()))
    assert client.calls == 1


SWITCH = {"pk": {"S": "SETTING#github.prFeedbackAutomationsEnabled"}, "sk": {"S": "admin"}, "value": {"BOOL": True}}
MEMBER = {"pk": {"S": "MEMBER#feedback#octo/widgets"}, "sk": {"S": "101"}, "active": {"BOOL": True}}
LEFT_OUT = {"table": {"Keys": [{name: MEMBER[name] for name in ("pk", "sk")}], "ConsistentRead": True}}


def test_a_row_that_was_left_out_of_an_answer_is_asked_for_again() -> None:
    client = ScriptedClient(
        {"Responses": {"table": [SWITCH]}, "UnprocessedKeys": LEFT_OUT},
        {"Responses": {"table": [MEMBER]}, "UnprocessedKeys": {}},
    )
    context = asking(client, Waiting().backoff()).context(CONNECTION, REPOSITORY, 9001, 7, 101)
    assert (context.switched_on, context.active_member) == (True, True)


def test_a_row_that_is_left_out_again_and_again_is_not_taken_for_missing() -> None:
    client = ScriptedClient({"Responses": {"table": [SWITCH]}, "UnprocessedKeys": LEFT_OUT})
    with pytest.raises(Contended):
        asking(client, Waiting().backoff()).context(CONNECTION, REPOSITORY, 9001, 7, 101)
