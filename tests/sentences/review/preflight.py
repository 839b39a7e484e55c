"""§4.4: what has to be true before a run may mint a token, and before it may use one."""

from tests.sentences.sentence import Branch, Inversion, Sentence

PREFLIGHT = "autoswe.rules.review.run.preflight"
TESTS = "tests/rules/review/run/test_preflight.py"
WRONG_VALUE = f"{TESTS}::test_a_wrong_value_under_the_right_name_is_refused_and_never_quoted"
RIGHT_SHAPE = f"{TESTS}::test_an_app_of_the_right_shape_passes"
CREDENTIALS = f"{TESTS}::test_a_models_credential_begins_as_its_agents_credentials_do"
ONLY_READS = f"{TESTS}::test_a_token_for_reading_is_by_the_configured_app_and_can_only_read"
OTHER_APP = f"{TESTS}::test_a_token_that_another_app_minted_is_refused_for_reading_and_for_writing"

SENTENCES = (
    Sentence(
        "4.4.1",
        (
            Branch(PREFLIGHT, "judge_release", "_DIGEST.fullmatch(installed)"),
            Branch(PREFLIGHT, "judge_release", "installed == deployed"),
        ),
        (f"{TESTS}::test_a_run_goes_on_with_the_program_that_the_workflow_was_deployed_with_and_with_no_other",),
    ),
    Sentence(
        "4.4.2",
        (Branch(PREFLIGHT, "judge_configuration", "app is None"), Branch(PREFLIGHT, "judge_configuration", "dry_run")),
        (f"{TESTS}::test_only_a_dry_run_goes_without_an_app",),
    ),
    Sentence("4.4.3", (Branch(PREFLIGHT, "judge_configuration", "_SLUG.fullmatch(app.slug)"),), (WRONG_VALUE,)),
    Sentence("4.4.4", (Branch(PREFLIGHT, "judge_configuration", "_APP_ID.fullmatch(app.app_id)"),), (WRONG_VALUE,)),
    Sentence(
        "4.4.5",
        (
            Branch(PREFLIGHT, "judge_configuration", "_is_private_key(app.private_key)"),
            Branch(PREFLIGHT, "_is_private_key", "MIN_KEY_CHARACTERS <= len(text) <= MAX_KEY_CHARACTERS"),
            Branch(PREFLIGHT, "_is_private_key", "_PEM.fullmatch(text) is not None"),
        ),
        (WRONG_VALUE, RIGHT_SHAPE),
    ),
    Sentence(
        "4.4.6",
        (
            Branch(PREFLIGHT, "judge_model_credential", "credential.startswith(prefix)"),
            Branch(PREFLIGHT, "judge_model_credential", "credential.startswith('sk-ant-')"),
            Branch(PREFLIGHT, "judge_model_credential", "credential is None or not _CREDENTIAL.fullmatch(credential)"),
        ),
        (CREDENTIALS,),
    ),
    Sentence(
        "4.4.7",
        (Branch(PREFLIGHT, "judge_model_credential", "agent not in MODEL_CREDENTIAL_PREFIXES"),),
        (CREDENTIALS,),
    ),
    Sentence(
        "4.4.8",
        (
            Branch(PREFLIGHT, "judge_model_credential", "agent == WITHOUT_MODEL"),
            Branch(
                PREFLIGHT,
                "judge_model_credential",
                "None if credential is None else _bad_credential('an agent without a model was given a credential')",
            ),
        ),
        (CREDENTIALS,),
    ),
    Sentence(
        "4.4.9",
        (
            Branch(PREFLIGHT, "judge_slug", "minted_by == configured"),
            Branch(
                PREFLIGHT,
                "judge_read_token",
                "judge_slug(PreflightCheck.READ_TOKEN_APP, configured_slug, minted_by)",
                Inversion.LEFT_OUT,
            ),
        ),
        (OTHER_APP, ONLY_READS),
    ),
    Sentence(
        "4.4.10",
        tuple(
            Branch(PREFLIGHT, "_FORBIDDEN", f"'{power}'", Inversion.LEFT_OUT) for power in ("push", "maintain", "admin")
        ),
        (f"{TESTS}::test_a_token_for_reading_that_may_be_able_to_do_more_is_refused",),
    ),
    Sentence(
        "4.4.11",
        (
            Branch(PREFLIGHT, "judge_read_token", "permissions is None"),
            Branch(PREFLIGHT, "judge_read_token", "permissions.get(power) is not False"),
        ),
        (
            f"{TESTS}::test_a_token_for_reading_that_may_be_able_to_do_more_is_refused",
            f"{TESTS}::test_a_repository_that_says_nothing_about_the_token_refuses_it",
            ONLY_READS,
        ),
    ),
    Sentence(
        "4.4.12",
        (
            Branch(PREFLIGHT, "judge_slug", "minted_by == configured"),
            Branch(PREFLIGHT, "judge_slug", "_SLUG.fullmatch(minted_by)"),
        ),
        (
            OTHER_APP,
            f"{TESTS}::test_a_token_for_writing_by_the_configured_app_passes",
            f"{TESTS}::test_an_app_without_a_name_is_nobodys",
        ),
    ),
    Sentence(
        "4.4.13",
        (),
        (WRONG_VALUE, CREDENTIALS),
        by_shape="The sentences of refusals are fixed words and the fixed prefixes of credentials.",
    ),
)
