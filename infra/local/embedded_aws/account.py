"""The one account and region that everything in the embedded AWS belongs to."""

ACCOUNT_ID = "123456789012"
REGION = "eu-west-1"


def arn(service: str, resource: str) -> str:
    """Name a resource of the account, such as ``arn("lambda", "function:push_fix")``."""
    return f"arn:aws:{service}:{REGION}:{ACCOUNT_ID}:{resource}"


def function_name(name_or_arn: str) -> str:
    """Return a Lambda function's plain name from its name, its ARN, or its ARN with a version."""
    return name_or_arn.rpartition(":function:")[2].partition(":")[0]


def task_family(name_or_arn: str) -> str:
    """Return a task definition's family from its family, its ARN, or either with a revision."""
    return name_or_arn.rpartition("task-definition/")[2].partition(":")[0]
