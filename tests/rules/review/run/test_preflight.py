"""What has to be true before a run may mint or use a token (review §4.4)."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from autoswe.rules.review.run.preflight import (
    Configuration,
    PreflightCheck,
    Refusal,
    judge_configuration,
    judge_model_credential,
    judge_read_token,
    judge_release,
    judge_write_token,
)

DIGEST = "0" * 64
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM, PKCS8 = (
    KEY.private_bytes(Encoding.PEM, form, NoEncryption()).decode()
    for form in (PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8)
)
APP = Configuration(slug="acme-review-bot", app_id="Iv23" + "liAbCdEf12345678", private_key=PEM)
READ_ONLY = {"admin": False, "maintain": False, "push": False, "triage": False, "pull": True}
COPILOT = "github_" + "pat_" + "A" * 40


def check_of(refusal: Refusal | None) -> PreflightCheck | None:
    """Name the check that refuses."""
    return None if refusal is None else refusal.check


def test_a_run_goes_on_with_the_program_that_the_workflow_was_deployed_with_and_with_no_other() -> None:
    assert judge_release(DIGEST, DIGEST) is None
    for installed, deployed in (("1" * 64, DIGEST), ("", ""), (DIGEST, ""), ("A" * 64, "A" * 64), (DIGEST[:-1],) * 2):
        assert check_of(judge_release(installed, deployed)) is PreflightCheck.RELEASE_DIGEST


@pytest.mark.parametrize(
    "app",
    [
        APP,
        replace(APP, private_key=PKCS8),
        replace(APP, private_key=f"\n{PEM}\n"),
        replace(APP, private_key=PEM.replace("\n", "\r\n")),
        replace(APP, private_key=None),
        replace(APP, app_id="12345"),
        replace(APP, app_id="Iv1." + "0123456789abcdef"),
    ],
)
def test_an_app_of_the_right_shape_passes(app: Configuration) -> None:
    assert judge_configuration(app, dry_run=False) == ()


@pytest.mark.parametrize(
    ("app", "check"),
    [
        (replace(APP, slug="Acme-Review-Bot"), PreflightCheck.APP_SLUG),
        (replace(APP, slug=""), PreflightCheck.APP_SLUG),
        (replace(APP, slug="one two"), PreflightCheck.APP_SLUG),
        (replace(APP, slug="bot[bot]"), PreflightCheck.APP_SLUG),
        (replace(APP, slug="bot\n"), PreflightCheck.APP_SLUG),
        (replace(APP, app_id=PEM), PreflightCheck.APP_ID),
        (replace(APP, app_id="0"), PreflightCheck.APP_ID),
        (replace(APP, app_id=""), PreflightCheck.APP_ID),
        (replace(APP, private_key=""), PreflightCheck.PRIVATE_KEY),
        (replace(APP, private_key=COPILOT), PreflightCheck.PRIVATE_KEY),
        (replace(APP, private_key=PEM[:200] + PEM[-40:]), PreflightCheck.PRIVATE_KEY),
        (replace(APP, private_key=PEM + PEM), PreflightCheck.PRIVATE_KEY),
        (replace(APP, private_key=PEM.replace("PRIVATE", "PUBLIC")), PreflightCheck.PRIVATE_KEY),
        (replace(APP, private_key=PEM + "A" * 20_000), PreflightCheck.PRIVATE_KEY),
    ],
)
def test_a_wrong_value_under_the_right_name_is_refused_and_never_quoted(
    app: Configuration, check: PreflightCheck
) -> None:
    [refusal] = judge_configuration(app, dry_run=True)
    assert refusal.check is check
    for value in (app.slug, app.app_id, app.private_key):
        assert not value or value not in refusal.sentence


def test_only_a_dry_run_goes_without_an_app() -> None:
    assert judge_configuration(None, dry_run=True) == ()
    assert [refusal.check for refusal in judge_configuration(None, dry_run=False)] == [PreflightCheck.APP_CONFIGURED]


@pytest.mark.parametrize(
    ("agent", "credential", "sound"),
    [
        ("copilot", COPILOT, True),
        ("copilot", "gh" + "p_" + "A" * 36, False),
        ("copilot", "gh" + "s_" + "A" * 36, False),
        ("copilot", " " + COPILOT, False),
        ("copilot", COPILOT + "\n", False),
        ("copilot", "github_" + "pat_", False),
        ("copilot", None, False),
        ("copilot", "", False),
        ("claude", "sk-" + "ant-" + "A" * 40, True),
        ("claude", COPILOT, False),
        ("codex", "sk-" + "A" * 40, True),
        ("codex", "sk-" + "ant-" + "A" * 40, False),
        ("command", "A" * 40, True),
        ("command", None, False),
        ("rules", None, True),
        ("rules", COPILOT, False),
        ("somebody", "A" * 40, False),
    ],
)
def test_a_models_credential_begins_as_its_agents_credentials_do(
    agent: str, credential: str | None, sound: bool
) -> None:
    refusal = judge_model_credential(agent, credential)
    assert check_of(refusal) is (None if sound else PreflightCheck.MODEL_CREDENTIAL)
    assert refusal is None or not credential or credential not in refusal.sentence


def test_a_token_for_reading_is_by_the_configured_app_and_can_only_read() -> None:
    assert judge_read_token("bot", "bot", READ_ONLY) == ()


@pytest.mark.parametrize("power", ["push", "maintain", "admin"])
@pytest.mark.parametrize("told", [True, None, "false", 0, "absent"])
def test_a_token_for_reading_that_may_be_able_to_do_more_is_refused(power: str, told: object) -> None:
    permissions = {name: value for name, value in {**READ_ONLY, power: told}.items() if value != "absent"}
    [refusal] = judge_read_token("bot", "bot", permissions)
    assert refusal.check is PreflightCheck.READ_TOKEN_PERMISSIONS


def test_a_repository_that_says_nothing_about_the_token_refuses_it() -> None:
    [refusal] = judge_read_token("bot", "bot", None)
    assert refusal.check is PreflightCheck.READ_TOKEN_PERMISSIONS


@pytest.mark.parametrize("minted_by", ["other", "Bot", "bot ", "", None])
def test_a_token_that_another_app_minted_is_refused_for_reading_and_for_writing(minted_by: str | None) -> None:
    [refusal] = judge_read_token("bot", minted_by, READ_ONLY)
    assert refusal.check is PreflightCheck.READ_TOKEN_APP
    assert check_of(judge_write_token("bot", minted_by)) is PreflightCheck.WRITE_TOKEN_APP


def test_a_token_for_writing_by_the_configured_app_passes() -> None:
    assert judge_write_token("bot", "bot") is None


def test_an_app_without_a_name_is_nobodys() -> None:
    assert check_of(judge_write_token("", "")) is PreflightCheck.WRITE_TOKEN_APP
