"""§6: settings, automations and budgets; §7: the App and its tokens."""

from tests.sentences.sentence import Branch, Inversion, Sentence

REGISTRY = "autoswe.rules.settings.registry"
RESOLUTION = "autoswe.rules.settings.resolution"
AUTOMATION = "autoswe.rules.intake.automation"
SAVE = "autoswe.steps.intake.save_automation"
ROWS = "autoswe.contracts.records.platform"
TOKENS = "autoswe.github.transport.tokens"

REGISTRY_TESTS = "tests/rules/settings/test_registry.py"
RESOLUTION_TESTS = "tests/rules/settings/test_resolution.py"
AUTOMATION_TESTS = "tests/rules/intake/test_automation.py"
SAVE_TESTS = "tests/steps/intake/test_save_automation.py"
TOKEN_TESTS = "tests/adapters/github/transport/test_tokens.py"
LEDGER = "autoswe.dynamodb.intake.ledger"
LEDGER_TESTS = "tests/adapters/dynamodb/intake/test_intake.py"
KILL_SWITCH_TESTS = "tests/steps/feedback/test_kill_switch.py"
CLI_TESTS = "tests/cli/test_settings.py"
SWITCHES = f"{REGISTRY_TESTS}::test_every_switch_is_off_until_somebody_switches_it_on"

SENTENCES = (
    Sentence(
        "6.1",
        (
            Branch(RESOLUTION, "StoredSettings.resolve", "setting.override is Override.REPLACES"),
            Branch(RESOLUTION, "StoredSettings.resolve", "not places"),
            Branch(RESOLUTION, "Place.scope", "self.team is not None"),
        ),
        (
            f"{RESOLUTION_TESTS}::test_the_most_specific_value_counts",
            f"{RESOLUTION_TESTS}::test_a_broken_value_that_does_not_count_hurts_nobody",
            f"{RESOLUTION_TESTS}::test_a_place_knows_its_scope_and_what_is_above_it",
        ),
    ),
    Sentence(
        "6.2",
        (Branch(RESOLUTION, "StoredSettings.resolve", "place.scope in setting.scopes"),),
        (
            f"{RESOLUTION_TESTS}::test_a_platform_wide_setting_takes_no_notice_of_what_is_stored_elsewhere",
            f"{RESOLUTION_TESTS}::test_a_budget_is_an_organisations_and_never_a_teams",
        ),
    ),
    Sentence(
        "6.3",
        (Branch(RESOLUTION, "StoredSettings.resolve", "setting.kind.join(values)"),),
        (f"{RESOLUTION_TESTS}::test_branches_that_any_scope_rules_out_stay_ruled_out_for_a_team",),
    ),
    Sentence(
        "6.4",
        (Branch(RESOLUTION, "StoredSettings.resolve", "value is None"),),
        (f"{RESOLUTION_TESTS}::test_what_is_unreadable_names_setting_place_and_value_and_says_what_is_allowed",),
    ),
    Sentence(
        "6.5",
        (Branch(RESOLUTION, "StoredSettings.is_on", "isinstance(resolved, Resolved)"),),
        (
            f"{RESOLUTION_TESTS}"
            "::test_a_switch_that_is_stored_as_neither_on_nor_off_is_off_whatever_a_less_specific_scope_says",
        ),
    ),
    Sentence(
        "6.6",
        (Branch("autoswe.rules.feedback.push_gate", "never_pushed", "isinstance(setting, Resolved)"),),
        ("tests/rules/feedback/test_push_gate.py::test_a_setting_that_cannot_be_read_lists_every_branch",),
    ),
    Sentence(
        "6.7",
        (
            Branch(
                "autoswe.dynamodb.records.platform", "RecordTable._save_audited", "'changed_by'", Inversion.LEFT_OUT
            ),
            Branch("autoswe.dynamodb.records.platform", "RecordTable._save_audited", "old == attributes"),
        ),
        ("tests/adapters/dynamodb/records/test_records.py::test_a_setting_keeps_who_changed_it_when_and_from_what",),
    ),
    Sentence(
        "6.8",
        (Branch(REGISTRY, "KILL_SWITCH", "False"),),
        (SWITCHES,),
    ),
    Sentence(
        "6.9",
        (Branch("autoswe.rules.intake.admission", "admit", "not context.switched_on"),),
        (
            f"{KILL_SWITCH_TESTS}::test_a_delivery_leaves_no_trace",
            "tests/rules/intake/test_admission.py::test_with_the_kill_switch_off_nothing_is_admitted",
        ),
    ),
    Sentence(
        "6.10",
        (Branch("autoswe.steps.intake.start_workflow", "start_workflow", "not settings.is_on(KILL_SWITCH)"),),
        ("tests/steps/intake/test_start_workflow.py::test_with_the_kill_switch_off_a_decision_stays_unstarted",),
    ),
    Sentence(
        "6.11",
        (Branch("autoswe.steps.feedback.gather_feedback", "_gather", "settings.is_on(KILL_SWITCH)"),),
        (f"{KILL_SWITCH_TESTS}::test_a_round_that_started_before_skips_without_opening_the_host",),
    ),
    Sentence("6.12", (Branch(REGISTRY, "OTHER_PULL_REQUESTS", "False"),), (SWITCHES,)),
    Sentence(
        "6.13",
        (
            Branch(AUTOMATION, "judge_automation", "not permit.others.value"),
            Branch(AUTOMATION, "judge_automation", "PullRequestScope.OTHERS not in pull_requests"),
        ),
        (
            f"{AUTOMATION_TESTS}"
            "::test_others_are_refused_while_the_setting_is_off_in_a_sentence_that_says_what_to_change",
        ),
    ),
    Sentence(
        "6.14",
        (Branch(AUTOMATION, "judge_automation", "isinstance(permit.others, Unreadable)"),),
        (f"{AUTOMATION_TESTS}::test_others_are_refused_while_nobody_can_tell_whether_they_are_allowed",),
    ),
    Sentence(
        "6.15",
        (Branch(SAVE, "_permits", "not automation.repositories"),),
        (f"{SAVE_TESTS}::test_others_in_all_repositories_need_the_platforms_own_leave",),
    ),
    Sentence(
        "6.16",
        (Branch(AUTOMATION, "judge_automation", "TriggerKind.COMMAND not in triggers"),),
        (f"{AUTOMATION_TESTS}::test_others_without_the_command_are_refused_because_nothing_else_acts_on_them",),
    ),
    Sentence(
        "6.17",
        (Branch(AUTOMATION, "judge_automation", "not triggers or not pull_requests"),),
        (f"{AUTOMATION_TESTS}::test_an_automation_that_selects_nothing_is_refused",),
    ),
    Sentence(
        "6.18",
        (Branch(SAVE, "save_automation", "refused is None"),),
        (f"{SAVE_TESTS}::test_others_are_refused_while_the_setting_is_off_and_what_was_saved_stays",),
    ),
    Sentence(
        "6.19",
        (
            Branch(ROWS, "Automation.max_rounds", "1"),
            Branch(ROWS, "Automation.max_rounds", "20"),
            Branch(ROWS, "Automation.max_rounds", "5"),
        ),
        (
            "tests/steps/feedback/test_gather_feedback.py"
            "::test_a_trusted_request_proceeds_with_labelled_threads_and_usable_suggestions",
            f"{CLI_TESTS}::test_an_automation_that_cannot_be_is_refused_in_one_sentence",
        ),
    ),
    Sentence(
        "6.20",
        (
            Branch(ROWS, "Automation.max_ci_fix_attempts", "ge=0", Inversion.LEFT_OUT),
            Branch(ROWS, "Automation.max_ci_fix_attempts", "le=1", Inversion.LEFT_OUT),
            Branch(ROWS, "Automation.max_ci_fix_attempts", "1"),
        ),
        (
            "tests/steps/feedback/test_follow_up.py::test_a_red_ci_on_a_reported_fix_may_be_followed_up",
            f"{CLI_TESTS}::test_an_automation_that_cannot_be_is_refused_in_one_sentence",
        ),
    ),
    Sentence("6.21", (Branch(REGISTRY, "AGENT_RUNS", "False"),), (SWITCHES,)),
    Sentence(
        "6.22",
        (
            Branch("autoswe.rules.feedback.agent_runs", "judge_agent_run_ceilings", "started >= max_per_day"),
            Branch("autoswe.steps.feedback.gather_feedback", "_gather", "task is not None"),
        ),
        (
            "tests/rules/feedback/test_agent_runs.py::test_agents_start_as_often_a_day_as_the_ceiling_says",
            "tests/steps/feedback/test_gather_feedback.py"
            "::test_a_follow_up_that_is_gathered_again_counts_once_and_one_that_is_skipped_does_not_count",
        ),
    ),
    Sentence(
        "6.23",
        (Branch("autoswe.rules.feedback.eligibility", "judge_budget", "spent_usd >= monthly_usd"),),
        (
            "tests/steps/feedback/test_gather_feedback.py"
            "::test_a_month_within_its_budget_and_agent_runs_within_their_ceiling_stop_nothing",
            "tests/steps/feedback/test_gather_feedback.py::test_one_reason_is_enough_to_skip_without_spending_a_fix",
        ),
    ),
    Sentence(
        "6.24",
        (Branch("autoswe.steps.feedback.spending", "budget_reason", "budget.value is None"),),
        (
            "tests/steps/feedback/test_gather_feedback.py::test_a_trusted_request_proceeds_with_labelled_threads_and_usable_suggestions",
        ),
    ),
    Sentence(
        "7.1",
        (
            Branch("autoswe.contracts.intake.deliveries", "_NEW_TEXT", "'pull_request_review'", Inversion.LEFT_OUT),
            Branch(
                "autoswe.contracts.intake.deliveries", "_NEW_TEXT", "'pull_request_review_comment'", Inversion.LEFT_OUT
            ),
            Branch("autoswe.contracts.intake.deliveries", "_NEW_TEXT", "'issue_comment'", Inversion.LEFT_OUT),
        ),
        ("tests/contracts/intake/test_deliveries.py::test_a_new_text_is_read_with_all_that_decides_about_it",),
    ),
    Sentence(
        "7.2",
        (
            Branch(TOKENS, "StepToken.__call__", "self._credential is None"),
            Branch(TOKENS, "StepToken._mint", "self._repositories"),
        ),
        (
            f"{TOKEN_TESTS}::test_a_token_is_minted_when_first_needed_and_used_for_the_whole_step",
            f"{TOKEN_TESTS}::test_a_token_is_asked_for_one_repository_and_exactly_the_function_s_permissions",
        ),
    ),
    Sentence(
        "7.3",
        (
            Branch(
                TOKENS,
                "StepToken._refuse_more_than_asked",
                "minted.permissions.items() <= self._permissions.items()",
            ),
        ),
        (f"{TOKEN_TESTS}::test_a_token_other_than_asked_for_is_never_used",),
    ),
    Sentence(
        "7.4",
        (
            Branch(TOKENS, "PERMISSIONS", "'issues'", Inversion.LEFT_OUT),
            Branch(TOKENS, "WRITERS", "'respond'", Inversion.LEFT_OUT),
        ),
        (
            f"{TOKEN_TESTS}::test_only_writers_hold_tokens_that_can_write",
            "tests/infra/template/test_token_table.py::test_the_tokens_that_are_minted_are_those_that_the_table_tells_of",
        ),
    ),
    Sentence(
        "7.5",
        (Branch(LEDGER, "IntakeTable.context", "recorded_name != repository"),),
        (f"{LEDGER_TESTS}::test_a_repository_is_its_number_whatever_the_host_calls_it",),
    ),
    Sentence(
        "7.6",
        (
            Branch(LEDGER, "IntakeTable.context", "number(known, 'repository_id') != repository_id"),
            Branch("autoswe.rules.intake.admission", "admit", "context.is_another_repository"),
        ),
        (
            f"{LEDGER_TESTS}::test_a_repository_that_took_the_name_another_one_left_has_none_of_its_records",
            "tests/rules/intake/test_admission.py::test_what_stands_on_record_for_another_repository_admits_nothing",
        ),
    ),
    Sentence(
        "7.7",
        (
            Branch(
                TOKENS,
                "StepToken._refuse_more_than_asked",
                "[repository.id for repository in minted.repositories] != [self._repositories]",
            ),
        ),
        (
            f"{TOKEN_TESTS}::test_a_token_for_another_number_is_refused",
            f"{TOKEN_TESTS}::test_a_repository_is_asked_for_by_its_number_and_addressed_by_the_name_it_has_now",
        ),
    ),
    Sentence(
        "7.8",
        (
            Branch(
                "autoswe.steps.feedback.gather_feedback",
                "_gather",
                "is_renamed(decision.repository, state.repository.full_name)",
            ),
        ),
        (
            "tests/scenarios/feedback/test_renames.py"
            "::test_a_renamed_repository_is_served_under_the_records_of_its_number_and_that_is_noticed",
        ),
    ),
    Sentence(
        "7.9",
        (),
        (
            "tests/faults/test_calls.py::test_a_round_makes_few_calls_of_the_host",
            "tests/faults/test_calls.py::test_a_further_look_at_ci_makes_few_calls_of_the_host",
        ),
        by_shape="`tests/faults/calls.txt` lists every call, and a test compares it with a round",
    ),
)
