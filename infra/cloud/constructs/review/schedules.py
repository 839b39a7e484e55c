"""When scheduled reviews run (review §11)."""

from aws_cdk import aws_stepfunctions
from constructs import Construct

from infra.cloud.constructs.rights import Right
from infra.cloud.constructs.schedule import Call, let_schedule, schedule
from infra.cloud.review_settings import ReviewSettings

WEEKDAYS = "cron(0 0/3 ? * MON-FRI *)"
WEEKENDS = "cron(0 8,20 ? * SAT,SUN *)"


class ReviewSchedules(Construct):
    """Starts reviews of one organisation; whether they approve anything is a setting's to say, and no input's.

    A start that fails is not repeated: the next run finds what this one would have, and two would pay twice.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, machine: aws_stepfunctions.StateMachine, review: ReviewSettings
    ) -> None:
        super().__init__(scope, construct_id)
        asked = {"org": review.organisation, "model": review.model}
        call = Call(
            machine.state_machine_arn,
            Right(("states:StartExecution",), machine.state_machine_arn),
            {
                "connection": review.connection,
                "inputs": {name: value for name, value in asked.items() if value},
                "started_by": "schedule",
            },
        )
        caller = let_schedule(self, call, "Lets the schedules start scheduled reviews")
        for name, times in (("Weekdays", WEEKDAYS), ("Weekends", WEEKENDS)):
            schedule(
                self,
                name,
                call=call,
                caller=caller,
                times=times,
                description=f"Reviews the pull requests of {review.organisation}",
                enabled=review.on_schedule,
            )
