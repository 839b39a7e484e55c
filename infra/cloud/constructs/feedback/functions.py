"""The functions of a feedback round, and the role whose sessions sign the containers' addresses."""

from constructs import Construct

from infra.cloud.constructs.function import Ground, ProductFunction, Size
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.signer import open_signer
from infra.cloud.constructs.state import State
from infra.cloud.names import SecretKind

_MINUTE = 60


class RoundFunctions(Construct):
    """Gathers, prepares, pushes, watches CI, answers and closes: one function for each, none with another's rights."""

    def __init__(
        self, scope: Construct, construct_id: str, *, ground: Ground, state: State, rights: Rights, agent: str
    ) -> None:
        super().__init__(scope, construct_id)
        table = {"AUTOSWE_TABLE": state.table.table_name}
        bucket = {"AUTOSWE_BUCKET": state.bucket.bucket_name}
        secrets = {"AUTOSWE_SECRETS_PREFIX": ground.names.secrets_prefix}
        private_key = rights.read_secret(SecretKind.PRIVATE_KEY)

        self.gather_feedback = ProductFunction(
            self,
            "gather_feedback",
            ground=ground,
            size=Size(seconds=5 * _MINUTE, memory=1024, storage=2048),
            environment=table | bucket | secrets,
            rights=[
                rights.read_rows("GetItem", "Query"),
                rights.write_rows(("AGENTDAY", "PR"), "PutItem", "UpdateItem"),
                rights.read_versions(),
                rights.write_artifacts(),
                private_key,
            ],
        )
        self.prepare_task = ProductFunction(
            self,
            "prepare_task",
            ground=ground,
            size=Size(seconds=_MINUTE),
            environment=table | bucket | {"AUTOSWE_AGENT": agent},
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("PR",), "UpdateItem"),
                rights.read_versions(),
                rights.write_artifacts(),
            ],
        )
        self.push_fix = ProductFunction(
            self,
            "push_fix",
            ground=ground,
            size=Size(seconds=5 * _MINUTE, memory=1024),
            environment=table | bucket | secrets | {"AUTOSWE_FEEDBACK_ROUND_ARN": rights.feedback_round_arn},
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("COMMIT", "PR"), "PutItem", "UpdateItem", "ConditionCheckItem"),
                rights.read_artifacts(),
                rights.write_artifacts(),
                private_key,
            ],
        )
        self.poll_ci = ProductFunction(
            self,
            "poll_ci",
            ground=ground,
            size=Size(seconds=_MINUTE),
            environment=table | secrets | {"AUTOSWE_AGENT": agent},
            rights=[rights.read_rows("GetItem"), rights.write_rows(("PR",), "PutItem", "UpdateItem"), private_key],
        )
        self.respond = ProductFunction(
            self,
            "respond",
            ground=ground,
            size=Size(seconds=2 * _MINUTE),
            environment=table | bucket | secrets,
            rights=[
                rights.read_rows("GetItem", "Query"),
                rights.write_rows(("PR",), "PutItem", "UpdateItem"),
                rights.read_versions(),
                private_key,
            ],
        )
        self.close_round = ProductFunction(
            self,
            "close_round",
            ground=ground,
            size=Size(seconds=_MINUTE),
            environment=table,
            rights=[
                rights.read_rows("GetItem", "Query"),
                rights.write_rows(("DECISION", "INTAKE", "PR"), "PutItem", "UpdateItem"),
            ],
        )
        self.functions = (
            self.gather_feedback,
            self.prepare_task,
            self.push_fix,
            self.poll_ci,
            self.respond,
            self.close_round,
        )
        self.signer = open_signer(self, self.prepare_task, [rights.read_artifacts(), rights.create_artifacts()])
