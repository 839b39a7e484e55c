"""What only the deployment decides: keys, the container's surroundings, schedules, and how long things are kept."""

from tests.sentences.sentence import Branch, Inversion, Sentence

FUNCTIONS = "infra.cloud.constructs.review.functions"
TASK = "infra.cloud.constructs.review.task"
SCHEDULES = "infra.cloud.constructs.review.schedules"
STATE = "infra.cloud.constructs.state"

RIGHTS_TESTS = "tests/infra/template/test_rights.py"
TASK_TESTS = "tests/infra/template/review/test_task.py"
SCHEDULE_TESTS = "tests/infra/template/review/test_schedules.py"
STATE_TESTS = "tests/infra/template/test_state.py"
CLI_TESTS = "tests/cli/review/test_runs.py"

SENTENCES = (
    Sentence(
        "3.1",
        (
            Branch(
                FUNCTIONS,
                "ReviewFunctions.__init__",
                "rights.read_secret(SecretKind.REVIEW_PRIVATE_KEY, review.connection)",
            ),
        ),
        (
            f"{RIGHTS_TESTS}::test_no_function_can_read_the_keys_of_both_apps",
            f"{RIGHTS_TESTS}::test_a_kind_of_secret_is_read_only_by_the_functions_that_need_it",
        ),
    ),
    Sentence(
        "4.3",
        (Branch(TASK, "plan_review_task", "review.asks_a_model"),),
        (
            f"{TASK_TESTS}::test_the_container_has_no_aws_role",
            f"{TASK_TESTS}::test_without_a_model_it_is_given_no_secret_and_no_variable",
            f"{TASK_TESTS}"
            "::test_with_a_model_it_is_given_the_review_connections_credential_by_reference_and_nothing_else",
        ),
    ),
    Sentence(
        "7.5.1",
        (),
        (
            f"{TASK_TESTS}::test_the_models_service_and_the_store_of_secrets_can_be_looked_up_each_named_once",
            f"{TASK_TESTS}::test_a_look_up_of_another_name_is_on_record_and_raises_an_alarm",
        ),
        by_shape="The rules that the task's network resolves names by are a list of what may be looked up.",
    ),
    Sentence(
        "9.2.1",
        (
            Branch(SCHEDULES, "ReviewSchedules.__init__", "review.on_schedule"),
            Branch("autoswe.cli.review.runs", "run", "isinstance(inputs, BadInputs)"),
        ),
        (
            f"{SCHEDULE_TESTS}::test_schedules_start_nothing_until_the_deployment_says_so",
            f"{CLI_TESTS}::test_a_run_is_started_as_a_persons_with_the_inputs_that_were_given_and_its_arn_is_printed",
            f"{CLI_TESTS}::test_every_bad_input_is_told_and_nothing_is_started",
        ),
    ),
    Sentence(
        "11.1",
        (
            Branch(SCHEDULES, "ReviewSchedules.__init__", "('Weekdays', WEEKDAYS)", Inversion.LEFT_OUT),
            Branch(SCHEDULES, "ReviewSchedules.__init__", "('Weekends', WEEKENDS)", Inversion.LEFT_OUT),
        ),
        (f"{SCHEDULE_TESTS}::test_reviews_run_every_three_hours_on_weekdays_and_twice_a_day_at_weekends",),
    ),
    Sentence(
        "12.1",
        tuple(
            Branch(STATE, "_KEPT_DAYS", folder, Inversion.LEFT_OUT)
            for folder in ("EVIDENCE", "SESSIONS", "RESULTS", "REPORTS")
        ),
        (
            f"{STATE_TESTS}::test_what_a_round_a_review_or_a_failure_leaves_is_kept_for_its_time_and_gone_a_week_later",
            f"{STATE_TESTS}::test_nothing_that_reviews_keep_is_without_an_end",
        ),
    ),
)
