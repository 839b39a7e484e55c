"""What the handlers of every workflow share: how a bad end is told, and one name for what AWS refuses."""

EXECUTION_STATUS_CHANGE = "Step Functions Execution Status Change"
"""The detail type of the event that tells what no ``Catch`` sees (Amazon EventBridge: Step Functions events)."""


class AwsCallFailed(Exception):
    """An AWS service refused a call or left it without an answer; the message says which, and with what code.

    botocore has an exception class for each error of each service: a workflow can name none of them.
    """
