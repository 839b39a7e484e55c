"""The network that containers run in: nothing comes in, and what may go out is named."""

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_ec2, aws_iam, aws_logs
from constructs import Construct

from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.constructs.name_firewall import NameFirewall
from infra.cloud.constructs.state import State
from infra.cloud.names import Names

_HTTPS = aws_ec2.Port.tcp(443)
_TASKS = "tasks"


class Network(Construct):
    """A VPC over two zones.

    Without egress domains its subnets have no route to the internet at all: a container reaches the bucket, and the
    platform reaches the image and the log, through endpoints that serve our own roles only. With egress domains a NAT
    gateway opens port 443, and the names that can be looked up are those of AWS that are needed, and the domains.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, state: State, egress_domains: Sequence[str]
    ) -> None:
        super().__init__(scope, construct_id)
        self._bucket = state.bucket
        self.vpc = _vpc(self, open_to_internet=bool(egress_domains))
        self.vpc.add_flow_log("FlowLog", destination=self._flow_log(names))
        self.subnets = self.vpc.select_subnets(subnet_group_name=_TASKS).subnets
        self.security_group = aws_ec2.SecurityGroup(
            self,
            "Tasks",
            vpc=self.vpc,
            description="Container tasks: nothing in, port 443 out",
            allow_all_outbound=False,
        )
        self.security_group.add_egress_rule(aws_ec2.Peer.any_ipv4(), _HTTPS, "whatever the subnets have a route to")
        self._add_endpoints()
        self.name_firewall = NameFirewall(
            self, "Names", names=names, vpc=self.vpc, allowed=[*self._needed_names(), *egress_domains]
        )

    def admit(self, *, execution_role: aws_iam.IRole, signer: aws_iam.IRole, folders: Sequence[str]) -> None:
        """Let the endpoints serve a task: its execution role pulls and logs, addresses by ``signer`` reach ``folders``.

        Anybody else's credentials, such as those a container brought along, are refused, and so is every other bucket.
        """
        pull = [
            "ecr:GetAuthorizationToken",
            "ecr:BatchCheckLayerAvailability",
            "ecr:BatchGetImage",
            "ecr:GetDownloadUrlForLayer",
        ]
        for endpoint in self._ecr:
            endpoint.add_to_policy(_only(execution_role, pull, "*"))
        write_log = ["logs:CreateLogStream", "logs:PutLogEvents"]
        self._logs.add_to_policy(_only(execution_role, write_log, "*"))
        objects = [self._bucket.arn_for_objects(f"{folder}*") for folder in folders]
        self._s3.add_to_policy(_only(signer, ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"], *objects))

    def _add_endpoints(self) -> None:
        services = aws_ec2.InterfaceVpcEndpointAwsService
        self._ecr = (self._interface("EcrApi", services.ECR), self._interface("EcrDocker", services.ECR_DOCKER))
        self._logs = self._interface("Logs", services.CLOUDWATCH_LOGS)
        self._s3 = self.vpc.add_gateway_endpoint(
            "S3",
            service=aws_ec2.GatewayVpcEndpointAwsService.S3,
            subnets=[aws_ec2.SubnetSelection(subnets=self.subnets)],
        )
        # The address of a layer is signed by Amazon ECR itself, so no principal of ours can be named.
        self._s3.add_to_policy(
            aws_iam.PolicyStatement(
                principals=[aws_iam.AnyPrincipal()],
                actions=["s3:GetObject"],
                resources=[self._arn("s3", f"{self._layer_bucket()}/*")],
            )
        )

    def _interface(
        self, construct_id: str, service: aws_ec2.InterfaceVpcEndpointAwsService
    ) -> aws_ec2.InterfaceVpcEndpoint:
        door = aws_ec2.SecurityGroup(
            self,
            f"{construct_id}Door",
            vpc=self.vpc,
            description="An endpoint: port 443 in from tasks, nothing out",
            allow_all_outbound=False,
        )
        door.add_ingress_rule(self.security_group, _HTTPS, "from tasks")
        return self.vpc.add_interface_endpoint(
            construct_id,
            service=service,
            subnets=aws_ec2.SubnetSelection(subnets=self.subnets),
            security_groups=[door],
            open=False,
        )

    def _flow_log(self, names: Names) -> aws_ec2.FlowLogDestination:
        log = aws_logs.LogGroup(
            self,
            "Flows",
            log_group_name=f"/aws/vendedlogs/{names.stack}/flows",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        return aws_ec2.FlowLogDestination.to_cloud_watch_logs(log)

    def _needed_names(self) -> list[str]:
        stack = cdk.Stack.of(self)
        here = f"{stack.region}.{stack.url_suffix}"
        return [
            f"api.ecr.{here}",
            f"{stack.account}.dkr.ecr.{here}",
            f"logs.{here}",
            f"{self._layer_bucket()}.s3.{here}",
            self._bucket.bucket_regional_domain_name,
        ]

    def _layer_bucket(self) -> str:
        return f"prod-{cdk.Stack.of(self).region}-starport-layer-bucket"

    def _arn(self, service: str, resource: str) -> str:
        return f"arn:{cdk.Stack.of(self).partition}:{service}:::{resource}"


def _vpc(scope: Construct, *, open_to_internet: bool) -> aws_ec2.Vpc:
    kind = aws_ec2.SubnetType.PRIVATE_WITH_EGRESS if open_to_internet else aws_ec2.SubnetType.PRIVATE_ISOLATED
    subnets = [aws_ec2.SubnetConfiguration(name=_TASKS, subnet_type=kind, cidr_mask=24)]
    if open_to_internet:
        subnets.append(
            aws_ec2.SubnetConfiguration(
                name="gateway", subnet_type=aws_ec2.SubnetType.PUBLIC, cidr_mask=28, map_public_ip_on_launch=False
            )
        )
    return aws_ec2.Vpc(
        scope,
        "Vpc",
        ip_addresses=aws_ec2.IpAddresses.cidr("10.0.0.0/16"),
        max_azs=2,
        nat_gateways=1 if open_to_internet else 0,
        subnet_configuration=subnets,
    )


def _only(role: aws_iam.IRole, actions: list[str], *resources: str) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(
        principals=[aws_iam.AnyPrincipal()],
        actions=actions,
        resources=list(resources),
        conditions={"ArnEquals": {"aws:PrincipalArn": role.role_arn}},
    )
