"""What finds again whatever was lost on the way to a round: one function, called by a schedule."""

from constructs import Construct

from infra.cloud.constructs.function import Ground, ProductFunction, Size
from infra.cloud.constructs.rights import Right, Rights
from infra.cloud.constructs.schedule import Call, let_schedule, schedule
from infra.cloud.constructs.state import State
from infra.cloud.names import SecretKind

EVERY_TEN_MINUTES = "cron(0/10 * * * ? *)"


class Sweep(Construct):
    """Sweeps every ten minutes, while the platform's kill switch is on: the function itself looks at it first.

    A sweep that fails is not repeated, because the next one finds whatever this one would have.
    """

    def __init__(self, scope: Construct, construct_id: str, *, ground: Ground, state: State, rights: Rights) -> None:
        super().__init__(scope, construct_id)
        self.sweep_deliveries = ProductFunction(
            self,
            "sweep_deliveries",
            ground=ground,
            size=Size(seconds=300),
            environment={
                "AUTOSWE_TABLE": state.table.table_name,
                "AUTOSWE_FEEDBACK_ROUND_ARN": rights.feedback_round_arn,
                "AUTOSWE_SECRETS_PREFIX": ground.names.secrets_prefix,
            },
            rights=[
                rights.read_rows("GetItem", "BatchGetItem", "Query"),
                rights.read_index("unstarted"),
                rights.write_rows(
                    ("DECISION", "DELIVERY", "INTAKE", "PR"), "PutItem", "UpdateItem", "ConditionCheckItem"
                ),
                rights.start_feedback_round(),
                rights.read_secret(SecretKind.PRIVATE_KEY),
            ],
        )
        self.sweep_deliveries.function.configure_async_invoke(retry_attempts=0)
        function_arn = self.sweep_deliveries.function.function_arn
        call = Call(function_arn, Right(("lambda:InvokeFunction",), function_arn))
        schedule(
            self,
            "Schedule",
            call=call,
            caller=let_schedule(self, call, "Lets the schedule call sweep_deliveries"),
            times=EVERY_TEN_MINUTES,
            description="Finds deliveries, decisions and intakes that were lost",
        )
