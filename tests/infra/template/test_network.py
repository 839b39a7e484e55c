"""What a container can reach, and who can reach it."""

from typing import Any

import pytest

from tests.infra.template.built import Template, as_list, spell, synthesise

REGISTRIES = ("pypi.org", "files.pythonhosted.org")
INTERFACES = {"com.amazonaws.REGION.ecr.api", "com.amazonaws.REGION.ecr.dkr", "com.amazonaws.REGION.logs"}


def endpoints(template: Template) -> dict[str, dict[str, Any]]:
    return {spell(each["ServiceName"]): each for each in template.of_type("AWS::EC2::VPCEndpoint").values()}


def allowed_names(template: Template) -> list[str]:
    return [
        spell(name)
        for name in template.of_type("AWS::Route53Resolver::FirewallDomainList")["NetworkNamesKnown"]["Domains"]
    ]


def test_nothing_comes_in() -> None:
    groups = synthesise().of_type("AWS::EC2::SecurityGroup")
    assert "SecurityGroupIngress" not in groups["NetworkTasks"]
    into = synthesise().of_type("AWS::EC2::SecurityGroupIngress").values()
    assert {spell(rule["SourceSecurityGroupId"]) for rule in into} == {"<NetworkTasks.GroupId>"}
    assert "<NetworkTasks.GroupId>" not in {spell(rule["GroupId"]) for rule in into}
    assert {(rule["IpProtocol"], rule["FromPort"], rule["ToPort"]) for rule in into} == {("tcp", 443, 443)}


def test_only_port_443_goes_out() -> None:
    (rule,) = synthesise().of_type("AWS::EC2::SecurityGroup")["NetworkTasks"]["SecurityGroupEgress"]
    assert (rule["IpProtocol"], rule["FromPort"], rule["ToPort"]) == ("tcp", 443, 443)


def test_without_egress_domains_there_is_no_way_to_the_internet() -> None:
    template = synthesise()
    for kind in ("InternetGateway", "NatGateway", "Route", "EgressOnlyInternetGateway", "EIP"):
        assert not template.of_type(f"AWS::EC2::{kind}"), kind


def test_tasks_have_two_subnets_without_public_addresses_in_two_zones() -> None:
    subnets = synthesise().of_type("AWS::EC2::Subnet").values()
    assert [subnet["AvailabilityZone"]["Fn::Select"][0] for subnet in subnets] == [0, 1]
    assert not [subnet for subnet in subnets if subnet["MapPublicIpOnLaunch"]]


def test_what_the_platform_needs_is_reached_inside_the_network() -> None:
    reached = endpoints(synthesise())
    assert set(reached) == INTERFACES | {"com.amazonaws.REGION.s3"}
    assert {reached[name]["VpcEndpointType"] for name in INTERFACES} == {"Interface"}
    assert {reached[name]["PrivateDnsEnabled"] for name in INTERFACES} == {True}
    assert reached["com.amazonaws.REGION.s3"]["VpcEndpointType"] == "Gateway"


def test_through_s3s_endpoint_anybody_reaches_the_image_layers_and_nothing_else() -> None:
    statements = endpoints(synthesise())["com.amazonaws.REGION.s3"]["PolicyDocument"]["Statement"]
    (layers,) = (statement for statement in statements if "Condition" not in statement)
    assert spell(layers["Resource"]) == "arn:aws:s3:::prod-REGION-starport-layer-bucket/*"
    assert layers["Action"] == "s3:GetObject"


def test_through_s3s_endpoint_only_addresses_of_a_signer_reach_our_bucket_and_there_its_tasks_folders() -> None:
    statements = endpoints(synthesise())["com.amazonaws.REGION.s3"]["PolicyDocument"]["Statement"]
    reached = {
        spell(statement["Condition"]["ArnEquals"]["aws:PrincipalArn"]): statement
        for statement in statements
        if "Condition" in statement
    }
    assert {signer: set(map(spell, as_list(one["Resource"]))) for signer, one in reached.items()} == {
        "<RoundSigner.Arn>": {"<StateBucket.Arn>/rounds/*"},
        "<ReviewSigner.Arn>": {"<StateBucket.Arn>/reviews/evidence/*", "<StateBucket.Arn>/reviews/sessions/*"},
    }
    for statement in reached.values():
        assert sorted(statement["Action"]) == ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"]


@pytest.mark.parametrize("service", sorted(INTERFACES))
def test_an_interface_endpoint_serves_the_roles_that_pull_and_log_and_nobody_else(service: str) -> None:
    """Otherwise code could carry data out under an account of its own."""
    statements = endpoints(synthesise())[service]["PolicyDocument"]["Statement"]
    served = [spell(statement["Condition"]["ArnEquals"]["aws:PrincipalArn"]) for statement in statements]
    assert sorted(served) == ["<FixerTaskExecutionRole.Arn>", "<ReviewTaskExecutionRole.Arn>"]
    for statement in statements:
        actions = as_list(statement["Action"])
        assert not [action for action in actions if "Put" in action and "PutLogEvents" not in action]


def test_a_look_up_of_any_other_name_gets_no_answer() -> None:
    template = synthesise()
    allow, block = sorted(
        template.only("AWS::Route53Resolver::FirewallRuleGroup")["FirewallRules"],
        key=lambda rule: int(rule["Priority"]),
    )
    assert (allow["Action"], block["Action"], block["BlockResponse"]) == ("ALLOW", "BLOCK", "NODATA")
    lists = template.of_type("AWS::Route53Resolver::FirewallDomainList")
    assert lists[spell(block["FirewallDomainListId"]).strip("<>").removesuffix(".Id")]["Domains"] == ["*"]
    association = template.only("AWS::Route53Resolver::FirewallRuleGroupAssociation")
    assert spell(association["VpcId"]) == "<NetworkVpc>"


def test_the_names_that_are_answered_are_those_of_our_bucket_the_images_and_the_log() -> None:
    assert allowed_names(synthesise()) == [
        "api.ecr.REGION.amazonaws.com",
        "ACCOUNT.dkr.ecr.REGION.amazonaws.com",
        "logs.REGION.amazonaws.com",
        "prod-REGION-starport-layer-bucket.s3.REGION.amazonaws.com",
        "<StateBucket.RegionalDomainName>",
    ]


def test_look_ups_and_flows_are_on_record() -> None:
    template = synthesise()
    assert template.only("AWS::EC2::FlowLog")["TrafficType"] == "ALL"
    recorded = template.only("AWS::Route53Resolver::ResolverQueryLoggingConfigAssociation")
    assert spell(recorded["ResourceId"]) == "<NetworkVpc>"


def test_egress_domains_open_a_way_out_through_one_gateway_and_nothing_comes_in_by_it() -> None:
    template = synthesise(*REGISTRIES)
    assert len(template.of_type("AWS::EC2::NatGateway")) == 1
    assert not [subnet for subnet in template.of_type("AWS::EC2::Subnet").values() if subnet["MapPublicIpOnLaunch"]]
    assert "SecurityGroupIngress" not in template.of_type("AWS::EC2::SecurityGroup")["NetworkTasks"]
    assert allowed_names(template)[-2:] == list(REGISTRIES)


def test_opening_the_way_out_moves_no_task_to_another_subnet() -> None:
    def ranges(template: Template) -> dict[str, str]:
        return {
            name: subnet["CidrBlock"]
            for name, subnet in template.of_type("AWS::EC2::Subnet").items()
            if name.startswith("NetworkVpctasks")
        }

    assert ranges(synthesise(*REGISTRIES)) == ranges(synthesise())
