"""Who may touch what: every role, every action, every resource, listed in full."""

import json

import pytest

from autoswe.rules.review.run.naming import Kept
from tests.infra.template.built import Right, all_of, as_list, spell, synthesise

TABLE = "<StateTable.Arn>"
BUCKET = "<StateBucket.Arn>"
ROUNDS = f"{BUCKET}/rounds/*"
EVIDENCE, SESSIONS, RESULTS, REPORTS = (f"{BUCKET}/reviews/{kept}/*" for kept in Kept)
SECRETS = "arn:aws:secretsmanager:REGION:ACCOUNT:secret:autoswe/autoswe"
WORKFLOW = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-feedback_round"
REVIEW = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-scheduled_review"


def condition(operator: str, key: str, value: object) -> str:
    return json.dumps({operator: {key: value}})


def rights(resource: str, *actions: str, when: str = "") -> set[Right]:
    return {Right(action, resource, when) for action in actions}


def read_rows(*actions: str) -> set[Right]:
    return rights(TABLE, *(f"dynamodb:{action}" for action in actions))


def write_rows(partitions: str, *actions: str) -> set[Right]:
    keys = [f"{partition}#*" for partition in partitions.split()]
    when = condition("ForAllValues:StringLike", "dynamodb:LeadingKeys", keys)
    return rights(TABLE, *(f"dynamodb:{action}" for action in actions), when=when)


def secret(kind: str, connection: str = "*") -> set[Right]:
    return rights(f"{SECRETS}/{connection}/{kind}-??????", "secretsmanager:GetSecretValue")


def function_basics(log: str) -> set[Right]:
    return all_of(
        rights(f"<{log}.Arn>", "logs:CreateLogStream", "logs:PutLogEvents"),
        rights("*", "xray:PutTelemetryRecords", "xray:PutTraceSegments"),
    )


READ_VERSIONS = rights(ROUNDS, "s3:GetObjectVersion")
READ_ROUNDS = rights(ROUNDS, "s3:GetObject", "s3:GetObjectVersion")
WRITE_ROUNDS = rights(ROUNDS, "s3:PutObject")
REVIEW_KEY = secret("review-private-key", "review")
FOLLOW_STREAM = all_of(
    rights("<StateTable.StreamArn>", "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"),
    rights("*", "dynamodb:ListStreams"),
    rights(f"{BUCKET}/aws/lambda/*", "s3:PutObject"),
    rights(BUCKET, "s3:ListBucket"),
)

FUNCTION_RIGHTS = {
    "receive_delivery": all_of(
        read_rows("BatchGetItem", "Query"),
        write_rows("DECISION DELIVERY INTAKE PR", "PutItem", "UpdateItem", "ConditionCheckItem"),
        secret("webhook-secrets"),
    ),
    "start_workflow": all_of(
        read_rows("GetItem"),
        write_rows("DECISION PR", "UpdateItem"),
        FOLLOW_STREAM,
        rights(WORKFLOW, "states:StartExecution"),
    ),
    "resolve_intake": all_of(
        read_rows("GetItem", "BatchGetItem", "Query"),
        write_rows("DECISION DELIVERY INTAKE PR", "PutItem", "UpdateItem", "ConditionCheckItem"),
        secret("private-key"),
        FOLLOW_STREAM,
    ),
    "sweep_deliveries": all_of(
        read_rows("GetItem", "BatchGetItem", "Query"),
        rights(f"{TABLE}/index/unstarted", "dynamodb:Query"),
        write_rows("DECISION DELIVERY INTAKE PR", "PutItem", "UpdateItem", "ConditionCheckItem"),
        rights(WORKFLOW, "states:StartExecution"),
        secret("private-key"),
    ),
    "gather_feedback": all_of(
        read_rows("GetItem", "Query"),
        write_rows("AGENTDAY PR", "PutItem", "UpdateItem"),
        READ_VERSIONS,
        WRITE_ROUNDS,
        secret("private-key"),
    ),
    "prepare_task": all_of(
        read_rows("GetItem"),
        write_rows("PR", "UpdateItem"),
        READ_VERSIONS,
        WRITE_ROUNDS,
        rights("<RoundSigner.Arn>", "sts:AssumeRole"),
    ),
    "push_fix": all_of(
        read_rows("GetItem"),
        write_rows("COMMIT PR", "PutItem", "UpdateItem", "ConditionCheckItem"),
        READ_ROUNDS,
        WRITE_ROUNDS,
        secret("private-key"),
    ),
    "poll_ci": all_of(read_rows("GetItem"), write_rows("PR", "PutItem", "UpdateItem"), secret("private-key")),
    "respond": all_of(
        read_rows("GetItem", "Query"),
        write_rows("PR", "PutItem", "UpdateItem"),
        READ_VERSIONS,
        secret("private-key"),
    ),
    "record_run": all_of(
        read_rows("GetItem"),
        write_rows("AGENTDAY PR RUN", "PutItem", "UpdateItem"),
        rights("<RunsUnrecorded.Arn>", "sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"),
    ),
    "close_round": all_of(
        read_rows("GetItem", "Query"),
        write_rows("DECISION INTAKE PR", "PutItem", "UpdateItem"),
        rights("<FeedbackRoundUndelivered.Arn>", "sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"),
    ),
    "preflight": all_of(
        read_rows("GetItem"),
        write_rows("LOCK RUNREVIEW", "PutItem", "UpdateItem"),
        rights(EVIDENCE, "s3:PutObject"),
        REVIEW_KEY,
    ),
    "select_pulls": all_of(
        read_rows("GetItem", "Query"),
        write_rows("LOCK RUNREVIEW", "PutItem", "UpdateItem"),
        rights(EVIDENCE, "s3:GetObjectVersion", "s3:PutObject"),
        rights(RESULTS, "s3:GetObject"),
        REVIEW_KEY,
    ),
    "prepare_review": all_of(
        read_rows("GetItem"),
        write_rows("LOCK", "UpdateItem"),
        rights(EVIDENCE, "s3:GetObjectVersion", "s3:PutObject"),
        rights("<ReviewSigner.Arn>", "sts:AssumeRole"),
        REVIEW_KEY,
    ),
    "apply_review": all_of(
        read_rows("GetItem", "BatchGetItem", "Query"),
        write_rows("APPROVAL LOCK", "PutItem", "UpdateItem"),
        rights(EVIDENCE, "s3:GetObjectVersion"),
        rights(SESSIONS, "s3:GetObject"),
        rights(RESULTS, "s3:PutObject"),
        REVIEW_KEY,
    ),
    "report_run": all_of(
        read_rows("GetItem"),
        write_rows("ASSESSED LOCK RUNREVIEW", "PutItem", "UpdateItem"),
        rights(EVIDENCE, "s3:GetObjectVersion"),
        rights(RESULTS, "s3:GetObject", "s3:PutObject"),
        rights(REPORTS, "s3:GetObject", "s3:PutObject"),
        rights("<ScheduledReviewUndelivered.Arn>", "sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"),
    ),
}


def execution_role(task: str) -> set[Right]:
    return all_of(
        rights(
            "arn:aws:ecr:REGION:ACCOUNT:repository/cdk-hnb659fds-container-assets-ACCOUNT-REGION",
            *("ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"),
        ),
        rights("*", "ecr:GetAuthorizationToken"),
        rights(f"<{task}Log.Arn>", "logs:CreateLogStream", "logs:PutLogEvents"),
    )


def workflow_role(task: str, *functions: str) -> set[Right]:
    in_cluster = condition("ArnEquals", "ecs:cluster", f"<{task}Cluster.Arn>")
    return all_of(
        *(rights(f"<{function}Function.Arn>", "lambda:InvokeFunction") for function in functions),
        rights(f"<{task}Definition>", "ecs:RunTask", when=in_cluster),
        rights(
            f"arn:aws:ecs:REGION:ACCOUNT:task/<{task}Cluster>/*", "ecs:StopTask", "ecs:DescribeTasks", when=in_cluster
        ),
        rights(
            "arn:aws:events:REGION:ACCOUNT:rule/StepFunctionsGetEventsForECSTaskRule",
            *("events:PutTargets", "events:PutRule", "events:DescribeRule"),
        ),
        rights(
            f"<{task}ExecutionRole.Arn>",
            "iam:PassRole",
            when=condition("StringEquals", "iam:PassedToService", "ecs-tasks.amazonaws.com"),
        ),
        rights(
            "*",
            *("logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery"),
            *("logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies"),
            *("logs:DescribeLogGroups", "xray:PutTraceSegments", "xray:PutTelemetryRecords"),
            *("xray:GetSamplingRules", "xray:GetSamplingTargets"),
        ),
    )


def create_only(objects: str) -> set[Right]:
    return rights(objects, "s3:PutObject", when=condition("Null", "s3:if-none-match", "false"))


OTHER_RIGHTS = {
    "RoundSigner": READ_ROUNDS | create_only(ROUNDS),
    "ReviewSigner": rights(EVIDENCE, "s3:GetObjectVersion") | create_only(SESSIONS),
    "FixerTaskExecutionRole": execution_role("FixerTask"),
    "ReviewTaskExecutionRole": execution_role("ReviewTask"),
    "FeedbackRoundRole": workflow_role(
        "FixerTask",
        *("Roundgatherfeedback", "Roundpreparetask", "Roundpushfix", "Roundpollci", "Roundrespond", "Roundcloseround"),
    ),
    "ScheduledReviewRole": workflow_role(
        "ReviewTask",
        *("Reviewpreflight", "Reviewselectpulls", "Reviewpreparereview", "Reviewapplyreview", "Reviewreportrun"),
    ),
    "SweepCaller": rights("<SweepsweepdeliveriesFunction.Arn>", "lambda:InvokeFunction"),
    "NetworkVpcFlowLogIAMRole": rights(
        "<NetworkFlows.Arn>", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"
    ),
}
TRUSTED = {
    "RoundSigner": {"AWS": "<RoundpreparetaskRole.Arn>"},
    "ReviewSigner": {"AWS": "<ReviewpreparereviewRole.Arn>"},
    "FixerTaskExecutionRole": {"Service": "ecs-tasks.amazonaws.com"},
    "ReviewTaskExecutionRole": {"Service": "ecs-tasks.amazonaws.com"},
    "FeedbackRoundRole": {"Service": "states.amazonaws.com"},
    "ScheduledReviewRole": {"Service": "states.amazonaws.com"},
    "SweepCaller": {"Service": "scheduler.amazonaws.com"},
    "NetworkVpcFlowLogIAMRole": {"Service": "vpc-flow-logs.amazonaws.com"},
}


@pytest.mark.parametrize("function", sorted(FUNCTION_RIGHTS))
def test_a_function_may_do_exactly_what_is_listed_for_it(function: str) -> None:
    template = synthesise()
    role = template.role_of(function)
    own_log = role.removesuffix("Role") + "Log"
    assert template.rights(role) == FUNCTION_RIGHTS[function] | function_basics(own_log)


@pytest.mark.parametrize("role", sorted(OTHER_RIGHTS))
def test_a_role_that_is_no_functions_may_do_exactly_what_is_listed_for_it(role: str) -> None:
    assert synthesise().rights(role) == OTHER_RIGHTS[role]


def test_no_role_exists_beside_the_listed_and_none_has_policies_from_elsewhere() -> None:
    template = synthesise()
    of_functions = {template.role_of(function) for function in FUNCTION_RIGHTS}
    assert len(of_functions) == len(FUNCTION_RIGHTS), "two functions share a role"
    roles = template.of_type("AWS::IAM::Role")
    assert set(roles) == of_functions | set(OTHER_RIGHTS)
    for role in roles.values():
        assert "ManagedPolicyArns" not in role
        assert "Policies" not in role


def test_each_role_is_trusted_to_the_one_principal_that_needs_it() -> None:
    template = synthesise()
    of_functions = {template.role_of(function): {"Service": "lambda.amazonaws.com"} for function in FUNCTION_RIGHTS}
    for name, role in template.of_type("AWS::IAM::Role").items():
        (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert statement["Action"] == "sts:AssumeRole"
        principal = {kind: spell(who) for kind, who in statement["Principal"].items()}
        assert principal == (TRUSTED | of_functions)[name]


def test_no_policy_anywhere_names_an_action_by_a_pattern() -> None:
    for name, resource in synthesise().body["Resources"].items():
        document = resource.get("Properties", {}).get("PolicyDocument")
        for statement in document["Statement"] if document else []:
            if statement["Effect"] == "Allow":
                assert not [action for action in as_list(statement["Action"]) if "*" in action], name


@pytest.mark.parametrize(("signer", "function"), [("RoundSigner", "prepare_task"), ("ReviewSigner", "prepare_review")])
def test_only_the_function_that_prepares_a_task_may_open_sessions_of_its_signer(signer: str, function: str) -> None:
    template = synthesise()
    assert [name for name in FUNCTION_RIGHTS if template.may(name, "sts:AssumeRole", f"<{signer}.Arn>")] == [function]
    assert template.of_type("AWS::IAM::Role")[signer]["MaxSessionDuration"] == 3600


def test_only_start_workflow_and_the_sweep_may_start_executions_of_the_feedback_workflow() -> None:
    template = synthesise()
    able = {name for name in FUNCTION_RIGHTS if template.may(name, "states:StartExecution", WORKFLOW)}
    assert able == {"start_workflow", "sweep_deliveries"}


def test_no_function_may_start_a_review() -> None:
    template = synthesise()
    assert not [name for name in FUNCTION_RIGHTS if template.may(name, "states:StartExecution", REVIEW)]


READERS = {
    "webhook-secrets": {"receive_delivery"},
    "private-key": {"gather_feedback", "push_fix", "poll_ci", "respond", "resolve_intake", "sweep_deliveries"},
    "review-private-key": {"preflight", "select_pulls", "prepare_review", "apply_review"},
}


def readers(secret_name: str) -> set[str]:
    """Name the functions that may read a secret, whose ARN ends as Secrets Manager would have it."""
    template, arn = synthesise(), f"{SECRETS}/{secret_name}-a1B2c3"
    return {name for name in FUNCTION_RIGHTS if template.may(name, "secretsmanager:GetSecretValue", arn)}


@pytest.mark.parametrize("kind", sorted(READERS))
def test_a_kind_of_secret_is_read_only_by_the_functions_that_need_it(kind: str) -> None:
    assert readers(f"review/{kind}") == READERS[kind]


def test_no_function_can_read_the_keys_of_both_apps() -> None:
    assert not READERS["private-key"] & READERS["review-private-key"]
    for connection in ("review", "feedback", "private-key-x", "review-private-key-x"):
        assert not readers(f"{connection}/private-key") & readers(f"{connection}/review-private-key")


def test_a_review_reads_the_key_of_the_connection_that_the_deployment_names_and_of_no_other() -> None:
    assert readers("another/review-private-key") == set()


def test_where_no_model_is_asked_no_function_reads_a_credential_for_one() -> None:
    assert readers("review/model-credential") == readers("model-credential") == set()


def test_no_name_of_a_secret_is_taken_for_one_of_the_other_kind() -> None:
    """A connection may be called anything, even like the last part of a secret's name."""
    template = synthesise()
    misleading = f"{SECRETS}/webhook-secrets-x/private-key-a1B2c3"
    assert not template.may("receive_delivery", "secretsmanager:GetSecretValue", misleading)
    misleading = f"{SECRETS}/private-key-x/webhook-secrets-a1B2c3"
    assert not template.may("push_fix", "secretsmanager:GetSecretValue", misleading)
    assert not template.may("push_fix", "secretsmanager:GetSecretValue", f"{SECRETS}/review/review-private-key-a1B2c3")


def test_no_secret_of_another_stack_can_be_read() -> None:
    template = synthesise()
    elsewhere = "arn:aws:secretsmanager:REGION:ACCOUNT:secret:autoswe/other/main/private-key-a1B2c3"
    assert not [name for name in FUNCTION_RIGHTS if template.may(name, "secretsmanager:GetSecretValue", elsewhere)]


@pytest.mark.parametrize("record", ["MEMBER", "SETTING", "SPENDING", "AUTOMATION", "CONNECTION", "REPOSITORY"])
def test_no_function_may_write_what_operators_record(record: str) -> None:
    """A function that was taken over can make nobody a member and switch nothing on."""
    template = synthesise()
    for function in FUNCTION_RIGHTS:
        for right in template.rights(template.role_of(function)):
            if right.action in {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}:
                keys = json.loads(right.condition)["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
                assert f"{record}#*" not in keys
                assert not [key for key in keys if not key.endswith("#*") or "*" in key[:-1]]


def test_no_function_may_delete_a_row_an_object_or_a_version_of_one() -> None:
    template = synthesise()
    granted = {right.action for name in FUNCTION_RIGHTS for right in template.rights(template.role_of(name))}
    assert not [action for action in granted if "Delete" in action]


def test_functions_are_invoked_by_the_api_and_the_rules_alone() -> None:
    """The workflow and the schedule need no permission of this kind: their roles may invoke."""
    permissions = synthesise().of_type("AWS::Lambda::Permission").values()
    callers = {(spell(permission["FunctionName"]), permission["Principal"]) for permission in permissions}
    assert callers == {
        ("<IntakeLive>", "apigateway.amazonaws.com"),
        ("<ReviewreportrunFunction.Arn>", "events.amazonaws.com"),
        ("<RoundcloseroundFunction.Arn>", "events.amazonaws.com"),
        ("<RunsrecordrunFunction.Arn>", "events.amazonaws.com"),
    }
    for permission in permissions:
        assert permission["Action"] == "lambda:InvokeFunction"
        assert "SourceArn" in permission
