"""Everything a function of this stack can be allowed, spelt once; each is given the fewest that do its work."""

from collections.abc import Mapping
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_iam
from constructs import Construct

from infra.cloud.acknowledgements import accept_pattern
from infra.cloud.constructs.state import State
from infra.cloud.names import DISCARDED_RECORDS, ROUNDS, Names, SecretKind

Conditions = Mapping[str, Mapping[str, str | list[str]]]
"""IAM's condition operators, each with its keys and what they are compared with."""


@dataclass(frozen=True)
class Right:
    """Leave to do some actions on one resource.

    ``pattern`` is there when the resource is a pattern, and says why.
    """

    actions: tuple[str, ...]
    resource: str
    conditions: Conditions | None = None
    pattern: str | None = None

    def give_to(self, role: aws_iam.Role) -> None:
        """Add this to what ``role`` may do."""
        role.add_to_policy(
            aws_iam.PolicyStatement(actions=list(self.actions), resources=[self.resource], conditions=self.conditions)
        )
        if self.pattern is not None:
            accept_pattern(role, self.resource, self.pattern)


class Rights:
    """The rights over one stack's table, bucket, secrets and workflows.

    Those over artifacts are for one folder of the bucket, which ``infra.cloud.names`` names.
    """

    def __init__(self, scope: Construct, names: Names, state: State) -> None:
        self._stack = cdk.Stack.of(scope)
        self._names = names
        self._state = state

    @property
    def feedback_round_arn(self) -> str:
        """The feedback workflow's ARN, known from its name before it exists."""
        return self.workflow_arn("feedback_round")

    def workflow_arn(self, workflow: str) -> str:
        """Spell the ARN of a workflow, known from its name before it exists."""
        return self._named_arn("states", "stateMachine", self._names.workflow(workflow))

    def read_rows(self, *actions: str) -> Right:
        """Allow reading any row; a transaction that reads needs the right to ``GetItem``."""
        return self._on_table(actions, None)

    def read_index(self, name: str) -> Right:
        """Allow reading what one index of the table holds."""
        return Right(("dynamodb:Query",), f"{self._state.table.table_arn}/index/{name}")

    def write_rows(self, partitions: tuple[str, ...], *actions: str) -> Right:
        """Allow writing rows whose partition key starts with one of ``partitions``, and no others.

        A transaction that writes needs the rights of its parts.
        """
        keys = [f"{partition}#*" for partition in partitions]
        return self._on_table(actions, {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys}})

    def read_stream(self) -> tuple[Right, Right]:
        """Allow a stream mapping to read the table's stream."""
        actions = ("dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
        return (
            Right(actions, self._state.stream_arn),
            Right(("dynamodb:ListStreams",), "*", pattern="Listing streams knows no resource to name"),
        )

    def keep_discarded_records(self) -> tuple[Right, Right]:
        """Allow a stream mapping to leave the records it gave up on in the bucket."""
        bucket = self._state.bucket
        objects = bucket.arn_for_objects(f"{DISCARDED_RECORDS}*")
        return (
            Right(("s3:PutObject",), objects, pattern="Lambda names the objects under its own prefix"),
            Right(("s3:ListBucket",), bucket.bucket_arn),
        )

    def read_versions(self, folder: str = ROUNDS) -> Right:
        """Allow reading artifacts by the version that a reference names."""
        return self._on_artifacts(folder, "s3:GetObjectVersion")

    def read_latest(self, folder: str) -> Right:
        """Allow reading artifacts by key alone."""
        return self._on_artifacts(folder, "s3:GetObject")

    def read_artifacts(self) -> Right:
        """Allow reading a round's artifacts by version or, as containers leave them, by key alone."""
        return self._on_artifacts(ROUNDS, "s3:GetObject", "s3:GetObjectVersion")

    def write_artifacts(self, folder: str = ROUNDS) -> Right:
        """Allow storing artifacts."""
        return self._on_artifacts(folder, "s3:PutObject")

    def create_artifacts(self, folder: str = ROUNDS) -> Right:
        """Allow storing an artifact only by a request that asks S3 to refuse when the key is taken."""
        return self._on_artifacts(folder, "s3:PutObject", conditions={"Null": {"s3:if-none-match": "false"}})

    def read_secret(self, kind: SecretKind, connection: str = "*") -> Right:
        """Allow reading one kind of secret, of one connection or of every.

        A secret's ARN ends in a hyphen and six characters that Secrets Manager chooses. The pattern asks for exactly
        these, so that no name matches the patterns of two kinds.
        """
        arn = self._named_arn("secretsmanager", "secret", f"{self._names.secrets_prefix}/{connection}/{kind}-??????")
        return Right(("secretsmanager:GetSecretValue",), arn, pattern="Secrets Manager ends every ARN as it likes")

    def start_feedback_round(self) -> Right:
        """Allow starting executions of the feedback workflow."""
        return Right(("states:StartExecution",), self.feedback_round_arn)

    def _on_table(self, actions: tuple[str, ...], conditions: Conditions | None) -> Right:
        return Right(tuple(f"dynamodb:{action}" for action in actions), self._state.table.table_arn, conditions)

    def _on_artifacts(self, folder: str, *actions: str, conditions: Conditions | None = None) -> Right:
        objects = self._state.bucket.arn_for_objects(f"{folder}*")
        return Right(actions, objects, conditions, pattern="Each round and review has keys of its own in the folder")

    def _named_arn(self, service: str, resource: str, name: str) -> str:
        arn: str = self._stack.format_arn(
            service=service, resource=resource, resource_name=name, arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
        )
        return arn
