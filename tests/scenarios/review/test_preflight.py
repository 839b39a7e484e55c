"""What must be true before a review run may act: each check that fails stops it, and says so (review §4.4, §9)."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import boto3
import pytest

from infra.local.assembly import SECRETS_PREFIX
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.http.faults import Fault, alter
from infra.local.review.assembly import CONNECTION
from tests.scenarios.review.story import ReviewStory
from tests.support.review.stage import pem

OTHER_APP = alter(lambda app: {**app, "slug": "another-app"})
MAY_PUSH = alter(lambda repository: {**repository, "permissions": {**repository["permissions"], "push": True}})
WRONG_KIND = "gh" + "p_" + "A" * 36
"""A credential that its prefix tells to be no agent's."""


@pytest.fixture
def sentences(review: ReviewStory) -> list[str]:
    """Collect what steps say when they refuse."""
    said: list[str] = []

    def after(_invocation: Invocation, outcome: Outcome) -> None:
        if outcome.error is not None:
            said.append(str(outcome.error))
        elif isinstance(outcome.result, dict):
            said.extend(outcome.result.get("sentences") or ())

    review.site.assembly.aws.hooks.after_invoke = after
    review.site.assembly.host.calls.clear()
    return said


def _refused_before_any_call(review: ReviewStory, execution: Execution) -> None:
    assert (execution.status, execution.error) == ("FAILED", "ReviewFailed")
    assert "Select pulls" not in execution.state_names
    assert len(review.site.assembly.host.calls) == 0
    assert review.is_free()


def test_a_program_that_the_workflow_was_not_deployed_with_does_nothing(
    review: ReviewStory, sentences: list[str]
) -> None:
    site = review.site
    described = boto3.client("stepfunctions", region_name=REGION).describe_state_machine(
        stateMachineArn=site.machine_arn
    )
    earlier = site.assembly.aws.deploy("earlier_release", described["definition"].replace(site.release, "0" * 64), {})
    given = f'{{"inputs": {{"org": "octo", "repositories": "{review.repository.name}"}}}}'
    execution = review.finish(site.assembly.aws.start(earlier, "earlier-1", given))
    _refused_before_any_call(review, execution)
    assert sentences == ["the installed program is not the one that the workflow was deployed with"]


@contextmanager
def _connection(review: ReviewStory, **changes: object) -> Iterator[None]:
    records = review.site.assembly.records
    known = records.connection(CONNECTION)
    assert known is not None
    records.save_connection(known.model_copy(update=changes))
    yield
    records.save_connection(known)


@contextmanager
def _private_key(review: ReviewStory, secret: str) -> Iterator[None]:
    client = boto3.client("secretsmanager", region_name=REGION)
    name = f"{SECRETS_PREFIX}/{CONNECTION}/review-private-key"
    client.put_secret_value(SecretId=name, SecretString=secret)
    yield
    client.put_secret_value(SecretId=name, SecretString=review.site.app.private_key_pem)


@contextmanager
def _model_credential(review: ReviewStory, credential: str) -> Iterator[None]:
    """Have a reviewer that asks a model, with a credential of this look."""
    client = boto3.client("secretsmanager", region_name=REGION)
    name = f"{SECRETS_PREFIX}/{CONNECTION}/model-credential"
    client.create_secret(Name=name, SecretString=credential)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(review.site.assembly.process.environment, "AUTOSWE_REVIEWER", "copilot")
        yield
    client.delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)


CONFIGURED_WRONG: dict[str, tuple[Callable[[ReviewStory], AbstractContextManager[None]], str]] = {
    "slug": (
        lambda review: _connection(review, app_slug="Not A Slug"),
        "the App's slug is not one lower-case slug",
    ),
    "app id": (
        lambda review: _connection(review, app_id=10**12),
        "the App's id is neither an id nor a client id",
    ),
    "key": (
        lambda review: _private_key(review, pem("AAAA")),
        "the App's private key is not one key in PEM of a plausible length",
    ),
    "two keys": (
        lambda review: _private_key(review, review.site.app.private_key_pem * 2),
        "the App's private key is not one key in PEM of a plausible length",
    ),
    "credential": (
        lambda review: _model_credential(review, WRONG_KIND),
        "the model's credential does not begin with github_pat_",
    ),
}


@pytest.mark.parametrize("name", CONFIGURED_WRONG)
def test_a_configuration_of_the_wrong_shape_refuses_the_run_in_one_sentence_that_quotes_nothing(
    review: ReviewStory, sentences: list[str], name: str
) -> None:
    wrong, sentence = CONFIGURED_WRONG[name]
    with wrong(review):
        execution = review.run()
    _refused_before_any_call(review, execution)
    assert sentences == [sentence]


def test_without_the_review_app_nothing_runs(review: ReviewStory, sentences: list[str]) -> None:
    execution = review.finish(review.site.begin(connection="nobodys", inputs=review.inputs(dry_run=True)))
    _refused_before_any_call(review, execution)
    assert sentences == ["there is no connection nobodys of a review App"]


BAD_INPUTS = {
    "org": ("not an organisation", "org cannot be 'not an organisation': it must be "),
    "dry_run": ("perhaps", "dry_run cannot be 'perhaps': it must be true or false"),
    "model": ("Bad Model", "model cannot be 'Bad Model': it must be "),
    "approve_tiers": ("needs-human", "approve_tiers cannot be 'needs-human': it must be "),
    "pull_requests": ("another/repo#1", "pull_requests cannot be 'another/repo#1': it must be pull requests of octo"),
    "repositories": ("a/b", "repositories cannot be 'a/b': it must be "),
    "exclude_repos": ("a/b", "exclude_repos cannot be 'a/b': it must be "),
    "max_pull_requests": (257, "max_pull_requests cannot be 257: it must be "),
    "max_concurrent_agents": (0, "max_concurrent_agents cannot be 0: it must be "),
    "max_runtime_minutes": (121, "max_runtime_minutes cannot be 121: it must be "),
    "reassess": (1.5, "reassess cannot be 1.5: it must be true or false"),
    "skip_agent": ("no way", "skip_agent cannot be 'no way': it must be true or false"),
}


def test_every_bad_input_is_told_at_once_each_in_one_sentence(review: ReviewStory, sentences: list[str]) -> None:
    """An organisation that cannot be read leaves nothing to hold named pull requests against, so it has a run alone."""
    bad = {name: value for name, (value, _) in BAD_INPUTS.items() if name != "org"}
    _refused_before_any_call(review, review.run(**bad, surprise=1))
    assert sentences[0].startswith("'surprise' ")
    for name in bad:
        [told] = [sentence for sentence in sentences if sentence.startswith(f"{name} ")]
        assert told.startswith(BAD_INPUTS[name][1])
    assert len(sentences) == len(bad) + 1

    sentences.clear()
    _refused_before_any_call(review, review.run(org=BAD_INPUTS["org"][0]))
    [told] = sentences
    assert told.startswith(BAD_INPUTS["org"][1])


def test_with_the_kill_switch_off_nothing_is_read_from_github(review: ReviewStory, sentences: list[str]) -> None:
    review.switch(False)
    execution = review.run()
    review.switch(True)
    assert (execution.status, execution.output["outcome"]) == ("SUCCEEDED", "off")
    assert len(review.site.assembly.host.calls) == 0
    assert sentences == []
    assert review.is_free()


@pytest.mark.parametrize(
    ("operation", "wrong", "sentence"),
    [
        ("GET /app", OTHER_APP, "read_token_app: a token was minted by another App than the configured one"),
        (
            "GET /repos/{owner}/{repo}",
            MAY_PUSH,
            "read_token_permissions: the token for reading can push, maintain or administer, "
            "or nobody says that it cannot",
        ),
    ],
    ids=["of another App", "that may push"],
)
def test_a_token_for_reading_that_is_not_what_it_should_be_fails_the_run_before_anything_is_selected(
    review: ReviewStory, sentences: list[str], operation: str, wrong: Fault, sentence: str
) -> None:
    pull = review.open()
    review.site.assembly.host.faults.add(operation, wrong, times=-1)
    execution = review.run()
    assert (execution.status, execution.error) == ("FAILED", "ReviewFailed")
    assert "Prepare review" not in execution.state_names
    assert sentences == [sentence]
    assert not review.site.approvals(pull)
    assert review.is_free()


def test_a_token_for_writing_of_another_app_approves_nothing(review: ReviewStory, sentences: list[str]) -> None:
    pull = review.open()
    review.site.assembly.host.faults.add("GET /app", OTHER_APP, skip=1, times=-1)
    result = review.result(review.run())
    assert (result["verdict"], result["reasons"]) == ("failed", ["apply_review failed: PreflightRefused"])
    assert sentences == ["write_token_app: a token was minted by another App than the configured one"]
    assert not review.site.approvals(pull)
