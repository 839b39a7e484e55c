"""§2: whether a round may begin."""

from tests.sentences.sentence import Branch, Inversion, Sentence

ELIGIBILITY = "autoswe.rules.feedback.eligibility"
ORIGIN = "autoswe.rules.records.origin"
GATHER = "autoswe.steps.feedback.gather_feedback"
CLOSE = "autoswe.steps.feedback.close_round"
CLOSE_TESTS = "tests/steps/feedback/test_close_round.py"
LATE = "autoswe.rules.feedback.late_deliveries"
AGENT_RUNS = "autoswe.rules.feedback.agent_runs"
RUNS = "autoswe.rules.records.runs"

ELIGIBILITY_TESTS = "tests/rules/feedback/test_eligibility.py"
ORIGIN_TESTS = "tests/rules/records/test_origin.py"
GATHER_TESTS = "tests/steps/feedback/test_gather_feedback.py"
AGENT_RUN_TESTS = "tests/rules/feedback/test_agent_runs.py"
RUN_TESTS = "tests/rules/records/test_runs.py"
SILENT = f"{ELIGIBILITY_TESTS}::test_a_skip_that_nobody_would_wonder_about_or_nobody_trusted_asked_for_is_silent"
TOLD = f"{ELIGIBILITY_TESTS}::test_a_skip_that_a_reviewer_would_wonder_about_is_visible"
TARGET_TESTS = "tests/steps/feedback/test_push_target.py"
CLOSED_BRANCH = f"{TARGET_TESTS}::test_a_branch_that_would_take_no_push_gets_no_round_and_says_so"
EACH_REASON = f"{GATHER_TESTS}::test_one_reason_is_enough_to_skip_without_spending_a_fix"


def visible(reason: str) -> Branch:
    """Name the reason's place among the visible ones."""
    return Branch(ELIGIBILITY, "VISIBLE", f"SkipReason.{reason}", Inversion.LEFT_OUT)


SENTENCES = (
    Sentence(
        "2.1",
        (Branch(GATHER, "_gather", "settings.is_on(KILL_SWITCH)"),),
        (f"{GATHER_TESTS}::test_with_the_kill_switch_off_or_the_slot_held_the_host_is_not_read", EACH_REASON, SILENT),
    ),
    Sentence("2.2", (Branch(GATHER, "_gather", "fire is None"),), (EACH_REASON, SILENT)),
    Sentence(
        "2.3",
        (
            Branch(GATHER, "_automation", "automation is None"),
            Branch(GATHER, "_automation", "_filter(automation).selects(decision.trigger, decision.repository)"),
        ),
        (EACH_REASON, SILENT),
    ),
    Sentence(
        "2.4",
        (Branch(ELIGIBILITY, "judge_pull", "not pull.is_open"),),
        (
            f"{ELIGIBILITY_TESTS}::test_a_closed_forked_or_moved_pull_request_is_skipped_and_a_deleted_head_is_a_fork",
            SILENT,
        ),
    ),
    Sentence(
        "2.5",
        (Branch(ELIGIBILITY, "judge_pull", "pull.head_repository_id != pull.repository_id"),),
        (
            f"{ELIGIBILITY_TESTS}::test_a_closed_forked_or_moved_pull_request_is_skipped_and_a_deleted_head_is_a_fork",
            SILENT,
        ),
    ),
    Sentence(
        "2.6",
        (Branch(ELIGIBILITY, "judge_pull", "recorded_branch is not None and pull.head_ref != recorded_branch"),),
        (
            f"{ELIGIBILITY_TESTS}::test_a_closed_forked_or_moved_pull_request_is_skipped_and_a_deleted_head_is_a_fork",
            f"{ELIGIBILITY_TESTS}::test_without_a_record_there_is_no_branch_to_have_moved_off",
            SILENT,
        ),
    ),
    Sentence(
        "2.7",
        (Branch(ELIGIBILITY, "judge_trigger", "text is None"),),
        (f"{ELIGIBILITY_TESTS}::test_a_deleted_edited_or_foreign_trigger_stops_the_round", SILENT),
    ),
    Sentence(
        "2.8",
        (
            Branch(
                ELIGIBILITY,
                "judge_trigger",
                "still_a_trigger(source, text.body, text.review_state) is not decided",
            ),
        ),
        (
            f"{ELIGIBILITY_TESTS}::test_a_deleted_edited_or_foreign_trigger_stops_the_round",
            f"{ELIGIBILITY_TESTS}::test_a_review_that_no_longer_requests_changes_is_no_trigger",
            SILENT,
        ),
    ),
    Sentence(
        "2.9",
        (
            Branch(ELIGIBILITY, "judge_trigger", "text.author is None"),
            Branch(ELIGIBILITY, "judge_trigger", "text.author.account_id != requester_id"),
            Branch(ELIGIBILITY, "judge_trigger", "text.author.is_bot"),
        ),
        (f"{ELIGIBILITY_TESTS}::test_a_deleted_edited_or_foreign_trigger_stops_the_round", SILENT),
    ),
    Sentence(
        "2.10",
        (Branch(ELIGIBILITY, "judge_requester", "requester.is_active_member"),),
        (f"{ELIGIBILITY_TESTS}::test_trust_needs_the_member_record_and_the_hosts_write_permission", SILENT),
    ),
    Sentence(
        "2.11",
        (Branch(ELIGIBILITY, "may_write", "permission in {Permission.WRITE, Permission.ADMIN}"),),
        (f"{ELIGIBILITY_TESTS}::test_trust_needs_the_member_record_and_the_hosts_write_permission", SILENT),
    ),
    Sentence(
        "2.40",
        (
            Branch(ELIGIBILITY, "judge_words", "are_trusted_words(text.author, text.edit, trusted)"),
            Branch(GATHER, "_gather", "judge_words(feedback.trigger, trust)"),
        ),
        (
            f"{ELIGIBILITY_TESTS}::test_a_trigger_that_somebody_who_is_not_trusted_changed_last_stops_the_round",
            "tests/steps/feedback/test_last_editors.py::test_an_editor_is_trusted_as_an_author_is_and_asked_about_once",
            EACH_REASON,
            SILENT,
        ),
    ),
    Sentence(
        "2.12",
        (
            Branch(
                ORIGIN,
                "judge_origin",
                "(recorded.author_id, recorded.branch) != (host.author_id, host.branch)",
            ),
        ),
        (f"{ORIGIN_TESTS}::test_a_record_that_the_host_does_not_confirm_makes_nothing_ours", SILENT),
    ),
    Sentence("2.13", (Branch(GATHER, "_gather", "not brief.threads"),), (EACH_REASON, SILENT)),
    Sentence(
        "2.14",
        (Branch(ELIGIBILITY, "judge_follow_up", "opened_by is OriginKind.AGENT_RUN and not agent_runs_on"),),
        (
            f"{ELIGIBILITY_TESTS}::test_the_kill_switch_of_agent_runs_stops_their_follow_up_and_no_other_round",
            SILENT,
        ),
    ),
    Sentence(
        "2.15",
        (Branch("autoswe.steps.feedback.spending", "budget_reason", "isinstance(budget, Unreadable)"),),
        (EACH_REASON, SILENT),
    ),
    Sentence(
        "2.16",
        (
            Branch(ORIGIN, "judge_origin", "recorded.run_status in AT_WORK"),
            visible("RUN_STILL_WORKING"),
        ),
        (
            f"{ORIGIN_TESTS}::test_a_run_that_may_still_push_keeps_its_pull_request",
            f"{ORIGIN_TESTS}::test_a_run_that_parked_or_ended_leaves_its_pull_request_to_rounds",
            TOLD,
        ),
    ),
    Sentence(
        "2.17",
        (Branch(ELIGIBILITY, "judge_rounds", "pushed_rounds >= max_rounds"), visible("ROUND_LIMIT")),
        (f"{ELIGIBILITY_TESTS}::test_the_round_that_would_exceed_the_limit_is_skipped", TOLD),
    ),
    Sentence(
        "2.18",
        (Branch(ELIGIBILITY, "judge_work_branch", "made_by == decision_id"), visible("WORK_BRANCH_LEFT")),
        (f"{ELIGIBILITY_TESTS}::test_only_this_decisions_own_work_branch_is_continued", TOLD),
    ),
    Sentence(
        "2.19",
        (Branch(ELIGIBILITY, "judge_others", "not taken"), visible("OTHER_PULL_REQUEST")),
        (
            f"{ELIGIBILITY_TESTS}::test_a_pull_request_of_others_that_the_automation_does_not_take_is_skipped",
            TOLD,
        ),
    ),
    Sentence(
        "2.20",
        (Branch(ELIGIBILITY, "judge_budget", "spent_usd >= monthly_usd"), visible("BUDGET_SPENT")),
        (f"{ELIGIBILITY_TESTS}::test_no_round_begins_once_the_month_has_cost_what_it_may_cost", TOLD),
    ),
    *(
        Sentence(
            identifier,
            (
                visible(reason),
                Branch(
                    GATHER,
                    "_gather",
                    "_stop(_judge_push(foreseen_refusal(state, records, settings)))",
                    Inversion.LEFT_OUT,
                ),
            ),
            (CLOSED_BRANCH, TOLD),
        )
        for identifier, reason in {
            "2.41": "REPOSITORY_ARCHIVED",
            "2.42": "DEFAULT_BRANCH",
            "2.43": "PROTECTED_BRANCH",
            "2.44": "NEVER_PUSH_BRANCH",
        }.items()
    ),
    Sentence(
        "2.46",
        (Branch(GATHER, "_collect", "SkipReason.SOURCE_UNREADABLE", Inversion.LEFT_OUT),),
        ("tests/steps/feedback/test_gathered_artifacts.py::test_a_truncated_tree_is_never_taken_for_the_whole",),
    ),
    Sentence(
        "2.45",
        (
            Branch(GATHER, "_judge_push", "PushRefusal.BRANCH_MISSING", Inversion.LEFT_OUT),
            Branch(GATHER, "_judge_push", "PushRefusal.HEAD_MOVED", Inversion.LEFT_OUT),
        ),
        (f"{TARGET_TESTS}::test_a_branch_that_is_not_where_its_open_pull_request_says_is_asked_for_again",),
    ),
    Sentence(
        "2.21",
        (Branch(GATHER, "gather_feedback", "skip.reason in VISIBLE"),),
        (EACH_REASON,),
    ),
    Sentence(
        "2.22",
        (Branch("autoswe.rules.feedback.summary", "summary_body", "SENTENCES[summary.headline]", Inversion.LEFT_OUT),),
        (
            "tests/rules/feedback/test_visible_sentences.py::test_a_sentence_holds_no_number",
            "tests/rules/feedback/test_visible_sentences.py"
            "::test_a_sentence_names_no_setting_in_full_or_by_its_last_part",
            "tests/rules/feedback/test_summary.py::test_a_summary_of_a_skip_is_its_sentence_alone",
        ),
    ),
    Sentence(
        "2.23",
        (Branch(GATHER, "_gather", "judge_requester(requester)", Inversion.LEFT_OUT),),
        (f"{GATHER_TESTS}::test_a_requester_who_is_not_trusted_never_gets_to_see_a_reason",),
    ),
    Sentence(
        "2.24",
        (
            Branch(ORIGIN, "judge_origin", "recorded is None"),
            Branch(ORIGIN, "opened_by_platform", "kind is not None and kind is not OriginKind.OTHER"),
        ),
        (f"{ORIGIN_TESTS}::test_a_pull_request_without_a_record_or_opened_by_others_is_not_ours",),
    ),
    Sentence(
        "2.25",
        (
            Branch("autoswe.dynamodb.feedback.transitions", "record_commit", "fire.pushed and known"),
            Branch("autoswe.dynamodb.feedback.rounds", "RoundTable.record_pushed", "'pushed_sha'", Inversion.LEFT_OUT),
        ),
        (
            "tests/adapters/dynamodb/feedback/test_round_recordings.py"
            "::TestRecording::test_another_commit_than_the_pushed_one_is_not_pushed_yet",
            "tests/adapters/dynamodb/feedback/test_round_recordings.py::TestEarlierCommits"
            "::test_only_pushed_rounds_of_the_same_automation_and_pull_request_are_listed_newest_first",
            "tests/adapters/dynamodb/feedback/test_round_recordings.py::TestEarlierCommits::test_a_round_that_pushes_again_is_one_round",
        ),
    ),
    Sentence(
        "2.26",
        (
            Branch(LATE, "left_unserved", "skipped"),
            Branch(LATE, "left_unserved", "delivery not in told"),
            Branch(CLOSE, "close_round", "ports.rounds.offer_again(decision, delivery)", Inversion.LEFT_OUT),
        ),
        (
            f"{CLOSE_TESTS}::test_a_skip_offers_every_suppressed_delivery_again_in_the_order_in_which_they_came",
            f"{CLOSE_TESTS}::test_a_round_that_did_something_offers_nothing_again_that_its_report_says_was_late",
            f"{CLOSE_TESTS}::test_what_came_after_a_rounds_last_report_is_offered_again",
            f"{CLOSE_TESTS}::test_a_round_that_failed_before_it_could_tell_anybody_offers_everything_again",
        ),
    ),
    Sentence(
        "2.27",
        (Branch(CLOSE, "close_round", "ports.records.settings(place, KILL_SWITCH).is_on(KILL_SWITCH)"),),
        ("tests/steps/feedback/test_kill_switch.py::test_a_round_that_ends_writes_no_intake_for_what_came_meanwhile",),
    ),
    Sentence(
        "2.28",
        (
            Branch(
                GATHER,
                "_gather",
                "fire.pushed_sha is not None or _is_pushed(host, decision, fire)",
            ),
        ),
        (f"{GATHER_TESTS}::test_a_round_whose_commit_is_on_the_branch_resumes_instead_of_fixing_again",),
    ),
    Sentence(
        "2.29",
        (Branch(ELIGIBILITY, "judge_others", "allowed"), visible("OTHERS_NOT_ALLOWED")),
        (
            f"{ELIGIBILITY_TESTS}"
            "::test_a_pull_request_of_others_is_skipped_where_the_settings_do_not_allow_rounds_on_it",
            TOLD,
        ),
    ),
    Sentence(
        "2.30",
        (Branch(AGENT_RUNS, "judge_run", "run is None or run.agent_task is None"),),
        (f"{AGENT_RUN_TESTS}::test_without_a_task_on_record_nobody_knows_what_to_follow_up", SILENT),
    ),
    Sentence(
        "2.31",
        (Branch(AGENT_RUNS, "judge_run", "run.agent_task.scope in FOLLOWED_UP"),),
        (
            f"{AGENT_RUN_TESTS}::test_agents_of_the_platform_or_an_organisation_are_set_to_work_again_and_no_others",
            SILENT,
        ),
    ),
    Sentence(
        "2.32",
        (
            Branch(AGENT_RUNS, "judge_agent_run_ceilings", "started >= max_per_day"),
            visible("AGENT_RUN_CEILING"),
        ),
        (f"{AGENT_RUN_TESTS}::test_agents_start_as_often_a_day_as_the_ceiling_says", TOLD),
    ),
    Sentence(
        "2.33",
        (
            Branch("infra.cloud.constructs.intake.run_reports", "shut_out", "reporters.accounts"),
            Branch("infra.cloud.constructs.intake.run_reports", "shut_out", "reporters.roles"),
            Branch("infra.cloud.constructs.intake.run_reports", "let_in", "'Condition'", Inversion.LEFT_OUT),
        ),
        (
            "tests/infra/template/intake/test_run_reports.py::test_everybody_else_is_shut_out_also_of_our_own_account",
            "tests/infra/template/intake/test_run_reports.py::test_who_is_named_may_put_reports_on_the_bus_and_nothing_else",
        ),
    ),
    Sentence(
        "2.34",
        (Branch(RUNS, "apply_report", "run.reported_at"),),
        (
            f"{RUN_TESTS}::test_an_older_report_does_not_overwrite_a_newer_status",
            f"{RUN_TESTS}::test_a_newer_status_takes_the_place_of_an_older_one",
        ),
    ),
    Sentence(
        "2.35",
        (Branch(RUNS, "apply_report", "run.status is RunStatus.ENDED"),),
        (f"{RUN_TESTS}::test_a_run_that_has_ended_stays_ended_whatever_the_times_of_the_reports",),
    ),
    Sentence(
        "2.36",
        (
            Branch(RUNS, "_differing", "getattr(record, name) != getattr(report, name)"),
            Branch(RUNS, "_differing", "record.agent_task == report.agent_task"),
        ),
        (
            f"{RUN_TESTS}::test_what_makes_a_run_that_run_never_changes",
            f"{RUN_TESTS}::test_a_newer_status_takes_the_place_of_an_older_one",
        ),
    ),
    Sentence(
        "2.37",
        (Branch(RUNS, "judge_claim", "claim is None"), Branch(RUNS, "judge_claim", "claim.run_id == run.run_id")),
        (
            f"{RUN_TESTS}::test_a_pull_request_without_an_origin_on_record_may_be_claimed_and_by_its_own_run_again",
            f"{RUN_TESTS}::test_a_pull_request_that_another_opened_cannot_be_claimed",
        ),
    ),
    Sentence(
        "2.38",
        (Branch(RUNS, "judge_time", "report.reported_at <= now + CLOCK_TOLERANCE"),),
        (f"{RUN_TESTS}::test_a_report_may_be_a_little_ahead_of_our_clock_and_no_more",),
    ),
    Sentence(
        "2.39",
        (Branch(ELIGIBILITY, "judge_others", "trigger is not TriggerKind.COMMAND"),),
        (
            f"{ELIGIBILITY_TESTS}"
            "::test_a_request_for_changes_is_no_trigger_on_a_pull_request_of_others_whatever_is_taken_and_allowed",
            SILENT,
        ),
    ),
)
