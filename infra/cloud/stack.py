"""The one stack of a deployment: capabilities joined to each other."""

import aws_cdk as cdk
from constructs import Construct

from infra.cloud.constructs.alarms import Alarms
from infra.cloud.constructs.container_task import ContainerTask
from infra.cloud.constructs.feedback.functions import RoundFunctions
from infra.cloud.constructs.feedback.task import plan_fixer_task
from infra.cloud.constructs.function import Ground
from infra.cloud.constructs.intake.run_reports import RunReports
from infra.cloud.constructs.intake.sweep import Sweep
from infra.cloud.constructs.intake.webhook import Intake
from infra.cloud.constructs.layers import Layers
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.review.functions import ReviewFunctions
from infra.cloud.constructs.review.schedules import ReviewSchedules
from infra.cloud.constructs.review.task import plan_review_task
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.state import State, read_table_shape
from infra.cloud.constructs.workflow import Workflow
from infra.cloud.deployment import Deployment
from infra.cloud.names import Names
from infra.cloud.release import release_digest


def build_stack(scope: Construct, deployment: Deployment) -> cdk.Stack:
    """Describe everything that one deployment runs."""
    stack = cdk.Stack(
        scope,
        deployment.stack,
        description="Repairs, reviews and answers pull requests",
        termination_protection=True,
    )
    names = Names(deployment.stack)
    ground = Ground(names, Layers(stack, "Layers"))
    shape = read_table_shape()
    state = State(stack, "State", shape)
    rights = Rights(stack, names, state)
    intake = Intake(stack, "Intake", ground=ground, state=state, shape=shape, rights=rights)
    functions = RoundFunctions(stack, "Round", ground=ground, state=state, rights=rights, agent=deployment.agent)
    sweep = Sweep(stack, "Sweep", ground=ground, state=state, rights=rights)
    reports = RunReports(stack, "Runs", ground=ground, state=state, rights=rights, reporters=deployment.run_reporters)
    reviewing = ReviewFunctions(stack, "Review", ground=ground, state=state, rights=rights, review=deployment.review)
    network = Network(stack, "Network", names=names, state=state, egress_domains=deployment.egress_domains)
    feedback = Workflow(
        stack,
        "FeedbackRound",
        name="feedback_round",
        names=names,
        functions=functions.functions,
        closing=functions.close_round,
        task=ContainerTask(
            stack,
            "FixerTask",
            names=names,
            plan=plan_fixer_task(deployment),
            network=network,
            signer=functions.signer,
        ),
        network=network,
        rights=rights,
    )
    review = Workflow(
        stack,
        "ScheduledReview",
        name="scheduled_review",
        names=names,
        functions=reviewing.functions,
        closing=reviewing.report_run,
        task=ContainerTask(
            stack,
            "ReviewTask",
            names=names,
            plan=plan_review_task(deployment.review),
            network=network,
            signer=reviewing.signer,
        ),
        network=network,
        rights=rights,
        more={"ReleaseDigest": release_digest()},
    )
    if deployment.review.organisation:
        ReviewSchedules(stack, "ReviewSchedules", machine=review.machine, review=deployment.review)
    Alarms(
        stack,
        "Alarms",
        functions=[
            *intake.functions,
            *functions.functions,
            *reviewing.functions,
            sweep.sweep_deliveries,
            reports.record_run,
        ],
        followers=intake.followers,
        feedback=feedback,
        review=review,
        unrecorded=reports.unrecorded.metric_approximate_number_of_messages_visible(),
        blocked_names=network.name_firewall.blocked,
    )
    for name, value, description in (
        ("WebhookUrl", intake.webhook_url, "Where the App of a connection sends its deliveries"),
        ("TableName", state.table.table_name, "The records of the platform"),
        ("BucketName", state.bucket.bucket_name, "The artifacts of rounds and reviews"),
        ("FeedbackRoundArn", rights.feedback_round_arn, "The feedback workflow"),
        ("ScheduledReviewArn", rights.workflow_arn("scheduled_review"), "The workflow of scheduled reviews"),
        ("RunBusArn", reports.bus.event_bus_arn, "Where other systems report their runs"),
        ("SecretsPrefix", names.secrets_prefix, "What the names of this deployment's secrets start with"),
    ):
        cdk.CfnOutput(stack, name, value=value, description=description)
    return stack
