"""What the table knows when a delivery comes in, and the claims it records (architecture §4).

This module is on the webhook's path: beside the standard library it imports nothing but botocore's exceptions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from autoswe.contracts.records.offers import Offer
from autoswe.dynamodb.intake.claims import (
    claim_verdict,
    claim_writes,
    postponement_verdict,
    postponement_writes,
    suppression_verdict,
    suppression_writes,
)
from autoswe.dynamodb.records.settings import Key, Row, read_settings_of, repository_id_key, repository_key
from autoswe.dynamodb.table.attributes import MalformedRow, Plain, flag, from_item, number, text, texts, to_item
from autoswe.dynamodb.table.batch_reads import read_batch
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.keys import key, origin_key
from autoswe.dynamodb.table.transactions import transact
from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.rules.intake.admission import AdmissionContext
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.origin import OriginKind, opened_by_platform
from autoswe.rules.settings.registry import KILL_SWITCH, OTHER_PULL_REQUESTS


class IntakeTable:
    """The ledger of decisions and deliveries, and the records that intake is judged by."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._table = table
        self._now = now
        self._backoff = backoff

    def context(
        self, connection: str, repository: str, repository_id: int, pull_number: int, account_id: int
    ) -> AdmissionContext:
        """Read what is switched on for the repository, the sender's membership, and who opened the pull request.

        A repository is its number: where that is on record under another name than the host says, the records of that
        name are read. A row that is missing means no. It takes one request, a second one for a repository of an
        organisation, which may have values of its own, and as many again for one that has another name by now. Raises
        ``Contended`` when the table kept leaving a row out, ``MalformedRow`` when another row than a setting's is not
        what it should be; a switch that is neither on nor off is off.
        """
        sender = {"pk": key("MEMBER", connection, repository), "sk": str(account_id)}
        switches = [KILL_SWITCH, OTHER_PULL_REQUESTS]
        opener = origin_key(connection, repository, pull_number)
        by_number = repository_id_key(connection, repository_id)
        settings, known, (member, origin, named) = read_settings_of(
            self._read, repository_key(connection, repository), switches, sender, opener, by_number
        )
        recorded_name = repository if named is None else text(named, "repository")
        if recorded_name != repository:
            return self.context(connection, recorded_name, repository_id, pull_number, account_id)
        return AdmissionContext(
            repository=repository,
            is_another_repository=known is not None and number(known, "repository_id") != repository_id,
            switched_on=settings.is_on(KILL_SWITCH),
            active_member=member is not None and flag(member, "active"),
            opened_by_platform=opened_by_platform(_opener(origin)),
            others_allowed=settings.is_on(OTHER_PULL_REQUESTS),
        )

    def automations(self, connection: str) -> Iterable[AutomationFilter]:
        """Read every automation of a connection, page after page; raises ``MalformedRow``."""
        pages = (
            self._table.client()
            .get_paginator("query")
            .paginate(
                TableName=self._table.name,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues=to_item({":pk": key("AUTOMATION", connection)}),
                ConsistentRead=True,
            )
        )
        return [_automation(from_item(item)) for page in pages for item in page["Items"]]

    def claim(self, offer: Offer) -> Claim:
        """Write decision, slot and delivery in one transaction; see ``claims`` for the conditions.

        Raises ``Contended`` when rivals or a want of capacity kept it from being decided.
        """
        writes = claim_writes(self._table.name, offer, self._now())
        return transact(self._table, self._backoff, writes, claim_verdict)

    def suppress(self, offer: Offer) -> Suppression:
        """Write the suppressed delivery and its event in one transaction; see ``claims`` for the conditions.

        Raises ``Contended`` when rivals or a want of capacity kept it from being recorded.
        """
        writes = suppression_writes(self._table.name, offer, self._now())
        return transact(self._table, self._backoff, writes, suppression_verdict)

    def postpone(self, offer: Offer) -> bool:
        """Write the offer's intake and its event in one transaction; false when the delivery was postponed before.

        Raises ``Contended`` when rivals or a want of capacity kept it from being written.
        """
        writes = postponement_writes(self._table.name, offer, self._now())
        return transact(self._table, self._backoff, writes, postponement_verdict)

    def _read(self, keys: Sequence[Key]) -> Sequence[Row | None]:
        rows = {(row["pk"], row["sk"]): row for row in read_batch(self._table, self._backoff, keys)}
        return [rows.get((one["pk"], one["sk"])) for one in keys]


def _opener(origin: Row | None) -> OriginKind | None:
    if origin is None:
        return None
    try:
        return OriginKind(text(origin, "kind"))
    except ValueError as unknown:
        raise MalformedRow(f"the record of who opened a pull request is wrong: {unknown}") from None


def _automation(row: Mapping[str, Plain]) -> AutomationFilter:
    return AutomationFilter(
        automation_id=text(row, "automation_id"),
        enabled=flag(row, "enabled"),
        **{name: texts(row, name) for name in ("repositories", "triggers", "pull_requests") if name in row},
    )
