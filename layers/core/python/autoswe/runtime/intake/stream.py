"""The entries of the functions that the table's stream calls: each record becomes one call of a step.

A record that fails does not keep the others of its batch from being done. The stream comes again from the first that
failed, so every step must bear being called twice (AWS Lambda: "Configuring partial batch response with DynamoDB").
"""

from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from autoswe.dynamodb.intake.pending_intakes import pending_intake
from autoswe.dynamodb.records.decisions import read_decision
from autoswe.dynamodb.table.attributes import AttributeValue
from autoswe.runtime.intake import wiring
from autoswe.runtime.log_line import log_line
from autoswe.runtime.process import current
from autoswe.steps.intake import resolve_intake as resolving
from autoswe.steps.intake import start_workflow as starting

Row = Mapping[str, AttributeValue]


def start_workflow(event: dict[str, Any], _context: object) -> Mapping[str, Any]:
    """Start the round of each decision in the batch."""
    ports = wiring.start_workflow(current())

    def start(row: Row) -> Mapping[str, object]:
        decision = read_decision(row)
        return {
            "outcome": starting.start_workflow(decision, ports),
            "connection": decision.connection,
            "repository": decision.repository,
            "pull": decision.pull_number,
            "decision": decision.decision_id,
        }

    return _each(event, start)


def resolve_intake(event: dict[str, Any], _context: object) -> Mapping[str, Any]:
    """Decide on each intake in the batch."""
    ports = wiring.resolve_intake(current())

    def resolve(row: Row) -> Mapping[str, object]:
        intake = pending_intake(row)
        resolution = resolving.resolve_intake(intake, ports)
        return {
            "outcome": resolution.outcome,
            "reason": resolution.reason,
            "connection": intake.offer.connection,
            "delivery": intake.offer.delivery,
            "repository": intake.offer.repository,
            "pull": intake.offer.pull_number,
            "subject": intake.offer.subject,
        }

    return _each(event, resolve)


def _each(event: dict[str, Any], handle: Callable[[Row], Mapping[str, object]]) -> Mapping[str, Any]:
    def handle_record(record: DynamoDBRecord) -> None:
        try:
            log_line(handle(record["dynamodb"]["NewImage"]))
        except Exception as failure:
            sequence = record["dynamodb"]["SequenceNumber"]
            log_line(
                {"outcome": "failed", "reason": type(failure).__name__, "detail": str(failure), "record": sequence}
            )
            raise

    processor = BatchProcessor(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
    return process_partial_response(event, handle_record, processor)
