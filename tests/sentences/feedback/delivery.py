"""§1: triggers, automations and deliveries."""

from tests.sentences.sentence import Branch, Inversion, Sentence

COMMANDS = "autoswe.rules.records.commands"
TRIGGERS = "autoswe.rules.records.triggers"
RECOGNITION = "autoswe.rules.intake.recognition"
AUTOMATIONS = "autoswe.rules.records.automations"
INTAKE = "autoswe.rules.intake.admission"
DELIVERIES = "autoswe.contracts.intake.deliveries"
RECEIVE = "autoswe.steps.intake.receive_delivery"

COMMAND_TESTS = "tests/rules/records/test_commands.py"
TRIGGER_TESTS = "tests/rules/intake/test_recognition.py"
INTAKE_TESTS = "tests/rules/intake/test_admission.py"
RECEIVE_TESTS = "tests/steps/intake/test_receive_delivery.py"
LEDGER_TESTS = "tests/adapters/dynamodb/intake/test_intake.py"

SENTENCES = (
    Sentence(
        "1.1",
        (
            Branch(
                TRIGGERS,
                "still_a_trigger",
                "source is TriggerSource.REVIEW and (review_state or '').lower() == 'changes_requested'",
            ),
        ),
        (
            f"{TRIGGER_TESTS}::test_a_review_that_requests_changes_is_a_trigger_whatever_it_says",
            f"{TRIGGER_TESTS}::test_any_other_state_of_a_review_known_or_not_is_no_trigger",
        ),
    ),
    Sentence(
        "1.2",
        (Branch(TRIGGERS, "still_a_trigger", "find_command(body) is Command.FIX"),),
        (f"{TRIGGER_TESTS}::test_a_command_is_a_trigger_wherever_a_person_may_write_it",),
    ),
    Sentence(
        "1.3",
        (Branch(DELIVERIES, "read_new_text", "root.member('action').text() != action"),),
        ("tests/contracts/intake/test_deliveries.py::test_only_a_text_that_has_just_been_posted_is_of_interest",),
    ),
    Sentence(
        "1.4",
        (
            Branch(RECOGNITION, "recognise", "not text.on_pull_request"),
            Branch(DELIVERIES, "read_new_text", "thread.optional_member('pull_request') is not None"),
        ),
        (
            f"{TRIGGER_TESTS}::test_a_text_that_is_not_on_a_pull_request_never_triggers_anything",
            "tests/contracts/intake/test_deliveries.py::test_a_comment_on_an_issue_is_not_on_a_pull_request",
        ),
    ),
    Sentence(
        "1.5",
        (
            Branch(RECOGNITION, "recognise", "text.sender_is_bot"),
            Branch(DELIVERIES, "read_new_text", "sender.member('type').text() != 'User'"),
        ),
        (
            f"{TRIGGER_TESTS}::test_a_bot_never_triggers_anything",
            "tests/contracts/intake/test_deliveries.py::test_every_sender_but_a_user_counts_as_a_bot",
        ),
    ),
    Sentence(
        "1.6",
        (Branch(RECOGNITION, "recognise", "text.author_id != text.sender_id"),),
        (f"{TRIGGER_TESTS}::test_somebody_elses_text_or_a_vanished_accounts_never_triggers_anything",),
    ),
    Sentence(
        "1.7",
        (
            Branch(COMMANDS, "_plain_lines", "token.type == 'paragraph_open'"),
            Branch(COMMANDS, "_plain_lines", "token.level == 0"),
            Branch(COMMANDS, "_plain_lines", "last_line not in footnotes"),
        ),
        (
            f"{COMMAND_TESTS}::test_a_visible_line_of_its_own_is_a_command",
            f"{COMMAND_TESTS}::test_anything_else_is_nothing",
        ),
    ),
    Sentence(
        "1.8",
        (Branch(COMMANDS, "find_command", "line in commands"),),
        (f"{COMMAND_TESTS}::test_only_a_body_with_the_exact_line_gives_a_command",),
    ),
    Sentence(
        "1.9",
        (
            Branch(COMMANDS, "_lines", "depth == 0"),
            Branch(COMMANDS, "_lines", "depth == 0 and not open_elements"),
            Branch(COMMANDS, "_follow_elements", "not closing and name not in _VOID_ELEMENTS"),
        ),
        (
            f"{COMMAND_TESTS}::test_a_visible_line_of_its_own_is_a_command",
            f"{COMMAND_TESTS}::test_anything_else_is_nothing",
        ),
    ),
    Sentence(
        "1.10",
        (Branch(AUTOMATIONS, "AutomationFilter.selects", "self.enabled"),),
        (f"{INTAKE_TESTS}::test_an_automation_that_does_not_select_the_trigger_admits_nothing",),
    ),
    Sentence(
        "1.11",
        (
            Branch(AUTOMATIONS, "AutomationFilter.selects", "not self.repositories"),
            Branch(AUTOMATIONS, "AutomationFilter.selects", "repository in self.repositories"),
        ),
        (
            f"{INTAKE_TESTS}::test_an_automation_that_names_the_repository_among_others_admits_the_trigger",
            f"{INTAKE_TESTS}::test_an_automation_that_does_not_select_the_trigger_admits_nothing",
        ),
    ),
    Sentence(
        "1.12",
        (Branch(AUTOMATIONS, "AutomationFilter.selects", "trigger in self.triggers"),),
        (f"{INTAKE_TESTS}::test_an_automation_that_does_not_select_the_trigger_admits_nothing",),
    ),
    Sentence(
        "1.13",
        (
            Branch(AUTOMATIONS, "AutomationFilter.triggers", "TriggerKind.CHANGES_REQUESTED", Inversion.LEFT_OUT),
            Branch(AUTOMATIONS, "AutomationFilter.triggers", "TriggerKind.COMMAND", Inversion.LEFT_OUT),
        ),
        (f"{INTAKE_TESTS}::test_a_members_trigger_is_admitted_by_an_automation_that_was_saved_without_filters",),
    ),
    Sentence(
        "1.14",
        (
            Branch(AUTOMATIONS, "AutomationFilter.takes", "scope in self.pull_requests"),
            Branch(AUTOMATIONS, "AutomationFilter.pull_requests", "PullRequestScope.PLATFORM", Inversion.LEFT_OUT),
        ),
        (
            f"{INTAKE_TESTS}::test_a_members_trigger_is_admitted_by_an_automation_that_was_saved_without_filters",
            f"{INTAKE_TESTS}"
            "::test_an_automation_for_others_alone_does_not_act_on_a_pull_request_that_the_platform_opened",
        ),
    ),
    Sentence(
        "1.15",
        (
            Branch(
                AUTOMATIONS,
                "AutomationFilter.takes",
                "scope is PullRequestScope.PLATFORM or trigger is TriggerKind.COMMAND",
            ),
        ),
        (
            f"{INTAKE_TESTS}::test_a_request_for_changes_on_a_pull_request_of_others_is_nothing_to_an_automation_for_others",
            f"{INTAKE_TESTS}::test_a_command_on_a_pull_request_of_others_is_admitted_if_the_host_knows_it",
        ),
    ),
    Sentence(
        "1.43",
        (Branch(INTAKE, "admit", "not context.opened_by_platform and trigger is not TriggerKind.COMMAND"),),
        (
            f"{INTAKE_TESTS}"
            "::test_a_request_for_changes_on_a_pull_request_of_others_is_no_trigger_where_our_own_are_taken_either",
            f"{INTAKE_TESTS}::test_a_request_for_changes_is_admitted_on_pull_requests_that_the_platform_opened_alone",
        ),
    ),
    Sentence(
        "1.16",
        (Branch(INTAKE, "admit", "min(chosen)"),),
        (f"{INTAKE_TESTS}::test_of_several_automations_that_select_a_trigger_the_first_by_id_takes_it",),
    ),
    Sentence(
        "1.17",
        (
            Branch(RECEIVE, "receive_delivery", "verdict is not SignatureVerdict.VALID"),
            Branch("autoswe.rules.intake.signature", "verify", "any(matches)"),
        ),
        (
            f"{RECEIVE_TESTS}::test_a_request_without_a_good_signature_is_refused_and_nothing_in_it_is_read",
            f"{RECEIVE_TESTS}::test_during_a_rotation_a_delivery_signed_with_either_secret_is_taken",
        ),
    ),
    Sentence(
        "1.18",
        (Branch(RECEIVE, "receive_delivery", "known is None"),),
        (f"{RECEIVE_TESTS}::test_a_connection_that_is_unknown_or_cannot_be_is_refused_without_being_quoted",),
    ),
    Sentence(
        "1.19",
        (Branch(RECEIVE, "_decide", "delivery.installation_id is None"),),
        (f"{RECEIVE_TESTS}::test_a_trigger_that_the_records_do_not_admit_is_ignored_before_any_claim",),
    ),
    Sentence(
        "1.20",
        (
            Branch(INTAKE, "admit", "not context.active_member"),
            Branch(RECEIVE, "_decide", "isinstance(admission, IntakeRefusal)"),
        ),
        (
            f"{INTAKE_TESTS}::test_somebody_who_is_no_active_member_is_never_admitted",
            f"{RECEIVE_TESTS}::test_a_trigger_that_the_records_do_not_admit_is_ignored_before_any_claim",
        ),
    ),
    Sentence(
        "1.21",
        (Branch("autoswe.dynamodb.intake.claims", "claim_verdict", "CONDITION_FAILED in (first, last)"),),
        (f"{LEDGER_TESTS}::test_a_subject_is_decided_once_ever_however_it_is_delivered_again",),
    ),
    Sentence(
        "1.22",
        (
            Branch("autoswe.dynamodb.intake.claims", "claim_verdict", "slot == CONDITION_FAILED"),
            Branch("autoswe.steps.intake.slot_claim", "claim_or_suppress", "claimed is not Claim.HELD"),
        ),
        (
            f"{LEDGER_TESTS}::test_while_a_slot_is_held_another_subject_is_not_decided_and_not_used_up",
            "tests/steps/intake/test_slot_claim.py"
            "::test_the_first_answer_that_settles_it_counts_and_without_one_the_offer_must_come_again",
        ),
    ),
    Sentence(
        "1.23",
        (
            Branch("autoswe.steps.intake.start_workflow", "start_workflow", "hold is Hold.HELD"),
            Branch("autoswe.steps.intake.start_workflow", "_start", "not started"),
        ),
        (
            "tests/steps/intake/test_start_workflow.py"
            "::test_a_decision_whose_round_an_execution_has_claimed_is_marked_and_not_started_again",
            "tests/steps/intake/test_start_workflow.py"
            "::test_a_decision_whose_execution_ended_unclaimed_is_marked_and_does_not_keep_the_slot",
        ),
    ),
    Sentence(
        "1.24",
        (
            Branch("autoswe.steps.feedback.round_records", "_agreed", "decision is None"),
            Branch(
                "autoswe.steps.feedback.round_records",
                "_agreed",
                "(decision.connection, decision.repository, decision.pull_number)"
                " != (state.connection, state.repository, state.pull_number)",
            ),
            Branch(
                "autoswe.steps.feedback.round_records",
                "RoundRecords.read",
                "repository.repository_id != decision.repository_id",
            ),
        ),
        (
            "tests/steps/feedback/test_gather_feedback.py::test_an_input_that_the_records_do_not_bear_out_is_an_error",
            "tests/steps/feedback/test_gather_feedback.py"
            "::test_a_trusted_request_proceeds_with_labelled_threads_and_usable_suggestions",
        ),
    ),
)
