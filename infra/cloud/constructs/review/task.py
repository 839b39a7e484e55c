"""The task that has a model read a pull request: one container without any AWS role or GitHub credential."""

import json

from infra.cloud.constructs.container_task import Part, TaskPlan
from infra.cloud.names import EVIDENCE, SESSIONS, SecretKind
from infra.cloud.review_settings import ReviewSettings

# As with the fixer's agent, the first process is our own.
_PART = Part("review", None, "10001:10001", "write", ["ALL"], read_only_root=True, init=False)


def plan_review_task(review: ReviewSettings) -> TaskPlan:
    """Plan that a reviewer reads one pull request; which model it asks comes with the run (review §7)."""
    return TaskPlan(
        name="review_task",
        stage=review.reviewer,
        cpu=1024,
        memory=4096,
        folders=[EVIDENCE, SESSIONS],
        parts=[_PART],
        variables={"AUTOSWE_AGENT_COMMAND": json.dumps(review.command)} if review.command else {},
        credential=f"{review.connection}/{SecretKind.MODEL_CREDENTIAL}" if review.asks_a_model else None,
    )
