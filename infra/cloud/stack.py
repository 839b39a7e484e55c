"""The one stack of a deployment: capabilities joined to each other."""

import aws_cdk as cdk
from constructs import Construct

from infra.cloud.constructs.alarms import Alarms
from infra.cloud.constructs.feedback_round import FeedbackRound
from infra.cloud.constructs.fixer_task import FixerTask
from infra.cloud.constructs.function import Ground
from infra.cloud.constructs.intake import Intake
from infra.cloud.constructs.layers import Layers
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.round_functions import RoundFunctions
from infra.cloud.constructs.state import State, read_table_shape
from infra.cloud.deployment import Deployment
from infra.cloud.names import Names


class ProductStack(cdk.Stack):
    """Everything that one deployment runs."""

    def __init__(self, scope: Construct, deployment: Deployment) -> None:
        super().__init__(
            scope,
            deployment.stack,
            description="Repairs, reviews and answers pull requests",
            termination_protection=True,
        )
        names = Names(deployment.stack)
        ground = Ground(names, Layers(self, "Layers"))
        shape = read_table_shape()
        state = State(self, "State", shape)
        rights = Rights(self, names, state)
        intake = Intake(self, "Intake", ground=ground, state=state, shape=shape, rights=rights)
        functions = RoundFunctions(self, "Round", ground=ground, state=state, rights=rights, agent=deployment.agent)
        network = Network(self, "Network", names=names, state=state, egress_domains=deployment.egress_domains)
        task = FixerTask(self, "FixerTask", names=names, network=network, signer=functions.signer)
        feedback = FeedbackRound(
            self, "FeedbackRound", names=names, functions=functions, task=task, network=network, rights=rights
        )
        Alarms(
            self,
            "Alarms",
            functions=[*intake.functions, *functions.functions],
            followers=intake.followers,
            failed_rounds=feedback.machine.metric_failed(),
            undelivered=feedback.undelivered.metric_approximate_number_of_messages_visible(),
            blocked_names=network.name_firewall.blocked,
        )
        self._output("WebhookUrl", intake.webhook_url, "Where a GitHub App of connection {connection} sends deliveries")
        self._output("TableName", state.table.table_name, "The records of the platform")
        self._output("BucketName", state.bucket.bucket_name, "The artifacts of rounds")
        self._output("FeedbackRoundArn", rights.feedback_round_arn, "The feedback workflow")
        self._output("SecretsPrefix", names.secrets_prefix, "What the names of this deployment's secrets start with")

    def _output(self, name: str, value: str, description: str) -> None:
        cdk.CfnOutput(self, name, value=value, description=description)
