"""Answers of services that no request of one process alone can provoke, for a hook around calls to raise."""

import json

from infra.local.embedded_aws.calls import ServiceFault

NO_CAPACITY = "Capacity is unavailable at this time. Please try again later or in a different availability zone"


class TransactionCanceled(ServiceFault):
    """A cancelled transaction: one reason's code for each operation, in their order, ``None`` for one without.

    ``TransactionConflict`` is the reason of an operation on an item that another request just then wrote
    (Amazon DynamoDB: "Amazon DynamoDB Transactions: How it works", "Transaction conflict handling").
    """

    def __init__(self, *reasons: str | None) -> None:
        codes = [reason or "None" for reason in reasons]
        super().__init__(
            "TransactionCanceledException",
            f"Transaction cancelled, please refer cancellation reasons for specific reasons [{', '.join(codes)}]",
        )
        self.CancellationReasons = [{"Code": code} for code in codes]  # the field's name in the answer


def transaction_conflict() -> ServiceFault:
    """Say what a plain write gets whose item is in a transaction just then (Amazon DynamoDB: "PutItem", "Errors")."""
    return ServiceFault("TransactionConflictException", "Transaction is ongoing for the item")


def conditional_request_conflict() -> ServiceFault:
    """Say what a conditional PUT gets that ran into another one (Amazon S3: "Add preconditions to S3 operations")."""
    return ServiceFault("ConditionalRequestConflict", "The conditional request cannot succeed due to a conflict", 409)


def run_task_failure(reason: str = NO_CAPACITY) -> ServiceFault:
    """Say what a workflow gets when RunTask starts nothing and answers 200 with ``failures``.

    Step Functions makes the error ``ECS.AmazonECSException`` of it (AWS Knowledge Center: "How do I troubleshoot an
    Amazon ECS RunTask API for a Fargate task that fails with a 'Capacity is unavailable' error?").
    """
    return ServiceFault("AmazonECSException", json.dumps({"Failures": [{"Reason": reason}], "Tasks": []}))
