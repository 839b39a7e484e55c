"""Which names the containers may look up."""

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch, aws_ec2, aws_logs, aws_route53resolver
from constructs import Construct

from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.names import Names

_Rule = aws_route53resolver.CfnFirewallRuleGroup.FirewallRuleProperty


class NameFirewall(Construct):
    """Answers look-ups of the listed names and of what they are aliases for; every other look-up gets no answer.

    It closes the network's name server as a way out and raises an alarm when something tried. It is a tripwire, not a
    boundary: whoever knows an address needs no name.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, vpc: aws_ec2.IVpc, allowed: Sequence[str]
    ) -> None:
        super().__init__(scope, construct_id)
        self._known = aws_route53resolver.CfnFirewallDomainList(self, "Known", domains=list(allowed))
        everything = aws_route53resolver.CfnFirewallDomainList(self, "Everything", domains=["*"])
        rules = aws_route53resolver.CfnFirewallRuleGroup(
            self,
            "Rules",
            firewall_rules=[
                _Rule(
                    priority=100,
                    action="ALLOW",
                    firewall_domain_list_id=self._known.attr_id,
                    firewall_domain_redirection_action="TRUST_REDIRECTION_DOMAIN",
                ),
                _Rule(
                    priority=200, action="BLOCK", block_response="NODATA", firewall_domain_list_id=everything.attr_id
                ),
            ],
        )
        aws_route53resolver.CfnFirewallRuleGroupAssociation(
            self, "Association", firewall_rule_group_id=rules.attr_id, vpc_id=vpc.vpc_id, priority=101
        )
        self._record_queries(names, vpc)
        self.blocked = aws_cloudwatch.Metric(
            namespace="AWS/Route53Resolver",
            metric_name="FirewallRuleQueryVolume",
            dimensions_map={"FirewallRuleGroupId": rules.attr_id, "FirewallDomainListId": everything.attr_id},
            statistic="Sum",
            period=cdk.Duration.minutes(5),
        )

    def allow(self, name: str) -> None:
        """Answer look-ups of one more name; naming it again changes nothing."""
        self._known.domains = list(dict.fromkeys([*(self._known.domains or []), name]))

    def _record_queries(self, names: Names, vpc: aws_ec2.IVpc) -> None:
        log = aws_logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/aws/vendedlogs/{names.stack}/name-queries",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        logging = aws_route53resolver.CfnResolverQueryLoggingConfig(self, "Logging", destination_arn=log.log_group_arn)
        aws_route53resolver.CfnResolverQueryLoggingConfigAssociation(
            self, "LoggingAssociation", resolver_query_log_config_id=logging.attr_id, resource_id=vpc.vpc_id
        )
