"""§1: how CI is watched and followed up."""

from tests.sentences.sentence import Branch, Inversion, Sentence

VERDICT = "autoswe.rules.feedback.ci_verdict"
POLL = "autoswe.steps.feedback.poll_ci"
GATHER = "autoswe.steps.feedback.gather_follow_up"

VERDICT_TESTS = "tests/rules/feedback/test_ci_verdict.py"
EXPECTED_TESTS = "tests/rules/github/test_expected_checks.py"
FOLLOW_UP_TESTS = "tests/steps/feedback/test_follow_up.py"

SENTENCES = (
    Sentence(
        "1.25",
        (
            Branch(VERDICT, "judge_ci", "not on_our_commit"),
            Branch(VERDICT, "head_is_ours", "head_sha == commit_sha"),
            Branch(VERDICT, "head_is_ours", "waited_seconds < STALE_SECONDS"),
        ),
        (
            f"{VERDICT_TESTS}::test_a_head_that_somebody_moved_ends_the_watch_as_unknown",
            f"{VERDICT_TESTS}::test_the_commit_before_the_push_is_a_stale_answer_for_a_minute_and_a_move_after_it",
        ),
    ),
    Sentence(
        "1.26",
        (Branch(VERDICT, "_judge_reading", "ends & BAD"),),
        (f"{VERDICT_TESTS}::test_one_failed_check_is_red_whatever_else_still_runs",),
    ),
    Sentence(
        "1.27",
        (
            Branch(VERDICT, "_judge_reading", "ends - GOOD"),
            Branch(VERDICT, "_judge_reading", "checks.rollup != 'SUCCESS'"),
        ),
        (
            f"{VERDICT_TESTS}::test_an_end_that_says_neither_good_nor_bad_is_unknown_never_green",
            f"{VERDICT_TESTS}::test_good_checks_under_a_rollup_that_does_not_agree_are_unknown",
        ),
    ),
    Sentence(
        "1.28",
        (
            Branch(VERDICT, "judge_ci", "green_since is None"),
            Branch(VERDICT, "judge_ci", "now - green_since < timedelta(seconds=CONFIRM_SECONDS)"),
        ),
        (f"{VERDICT_TESTS}::test_green_is_said_only_after_a_second_look_half_a_minute_later",),
    ),
    Sentence(
        "1.29",
        (
            Branch(VERDICT, "_judge_reading", "_is_running(checks, reports)"),
            Branch(VERDICT, "_is_running", "check.completed"),
            Branch(VERDICT, "_is_running", "run.status != 'COMPLETED'"),
            Branch(VERDICT, "_is_running", "checks.rollup == 'PENDING'"),
        ),
        (
            f"{VERDICT_TESTS}::test_what_has_not_ended_is_waited_for",
            f"{VERDICT_TESTS}::test_what_only_the_summary_speaks_of_is_waited_for",
        ),
    ),
    Sentence(
        "1.30",
        (
            Branch(VERDICT, "judge_ci", "waited_seconds < GRACE_SECONDS"),
            Branch(VERDICT, "_judge_reading", "not reports.checks and not reports.runs"),
        ),
        (f"{VERDICT_TESTS}::test_nothing_reported_is_waited_for_within_the_grace_and_none_after_it",),
    ),
    Sentence(
        "1.31",
        (Branch(VERDICT, "_missing", "requirement is Requirement.ABSENT"),),
        (
            f"{EXPECTED_TESTS}::TestRequired"
            "::test_a_required_check_that_has_not_reported_is_waited_for_and_missing_after_the_grace",
        ),
    ),
    Sentence(
        "1.32",
        (Branch(VERDICT, "_judge_reading", "reading.required is None"),),
        (f"{EXPECTED_TESTS}::TestRequired::test_requirements_that_cannot_be_read_are_never_green_nor_none",),
    ),
    Sentence(
        "1.33",
        (
            Branch(VERDICT, "_judge_reading", "'ACTION_REQUIRED' in ends"),
            Branch(VERDICT, "_judge_reading", "run.status == 'WAITING'"),
        ),
        (f"{VERDICT_TESTS}::test_a_run_that_waits_for_a_person_is_said_so_and_never_waited_out",),
    ),
    Sentence(
        "1.34",
        (Branch(VERDICT, "judge_ci", "verdict.state is CiState.WAIT and waited_seconds >= WATCH_SECONDS"),),
        (f"{VERDICT_TESTS}::test_the_watch_ends_after_four_hours_as_unknown",),
    ),
    Sentence(
        "1.35",
        (
            Branch(VERDICT, "next_wait_seconds", "FIRST_WAIT_SECONDS << min(looks - 1, 10)"),
            Branch(VERDICT, "next_wait_seconds", "LONGEST_WAIT_SECONDS"),
        ),
        (f"{VERDICT_TESTS}::test_waits_grow_from_fifteen_seconds_to_two_minutes",),
    ),
    Sentence(
        "1.36",
        (Branch("autoswe.steps.feedback.respond", "_ci_line", "state.ci_error is not None"),),
        ("tests/steps/feedback/test_respond.py::test_ci_that_could_not_be_read_is_told_as_unknown",),
    ),
    Sentence(
        "1.37",
        (
            Branch("autoswe.steps.feedback.close_round", "_outcome", "push is not None"),
            Branch("autoswe.steps.feedback.close_round", "_outcome", "push.outcome is PushOutcome.REFUSED"),
        ),
        ("tests/steps/feedback/test_close_round.py::test_the_outcome_follows_from_what_the_steps_answered",),
    ),
    Sentence(
        "1.45",
        (
            Branch(
                "autoswe.rules.github.expected_checks",
                "count_reports",
                "_ended_at(check) == latest[reporter(check), check.suite_id]",
            ),
        ),
        (
            f"{EXPECTED_TESTS}::TestSuperseded::test_a_failure_in_one_suite_is_hidden_by_nothing_in_another",
            f"{EXPECTED_TESTS}::TestSuperseded::test_of_a_suite_s_checks_of_one_name_the_last_counts",
            f"{EXPECTED_TESTS}::TestSuperseded::test_every_run_counts_whatever_else_ran_of_its_workflow",
        ),
    ),
    Sentence(
        "1.46",
        (
            Branch(VERDICT, "_missing", "silent_reporters(reading.before or (), reports)"),
            Branch(VERDICT, "_judge_reading", "reading.before is None"),
        ),
        (
            f"{EXPECTED_TESTS}::TestReportedBefore"
            "::test_it_is_waited_for_within_the_grace_and_then_its_silence_is_unknown",
            f"{EXPECTED_TESTS}::TestReportedBefore::test_what_cannot_be_read_is_never_taken_for_nothing",
        ),
    ),
    Sentence(
        "1.38",
        (
            Branch(POLL, "poll_ci", "verdict.state is CiState.RED"),
            Branch(POLL, "_may_follow_up", "state.first is not None"),
            Branch(POLL, "_may_follow_up", "automation.max_ci_fix_attempts > 0"),
        ),
        (
            f"{FOLLOW_UP_TESTS}::test_a_red_ci_on_a_reported_fix_may_be_followed_up",
            f"{FOLLOW_UP_TESTS}::test_a_second_red_ci_is_not_followed_up",
            f"{FOLLOW_UP_TESTS}::test_an_automation_that_allows_no_attempt_gets_none",
            f"{FOLLOW_UP_TESTS}::test_ci_that_is_not_red_is_not_followed_up",
        ),
    ),
    Sentence(
        "1.39",
        (
            Branch(GATHER, "_gather", "settings.is_on(KILL_SWITCH)"),
            Branch(
                GATHER,
                "_gather",
                "_stop(judge_follow_up(origin.kind if origin else None, agent_runs_on=settings.is_on(AGENT_RUNS)))",
                Inversion.LEFT_OUT,
            ),
            Branch(
                GATHER, "_gather", "_stop(budget_reason(settings, ports.records, ports.clock()))", Inversion.LEFT_OUT
            ),
            Branch(GATHER, "_gather", "_stop(judge_pushed_pull(pull, commit, fire.head_ref))", Inversion.LEFT_OUT),
        ),
        (f"{FOLLOW_UP_TESTS}::test_what_stops_a_follow_up_leaves_ci_to_be_reported",),
    ),
    Sentence(
        "1.44",
        (Branch(GATHER, "_gather", "foreseen_refusal(state, records, settings)"),),
        (
            "tests/steps/feedback/test_push_target.py"
            "::test_a_branch_that_takes_no_push_any_more_gets_no_follow_up_and_no_evidence_is_read",
            f"{FOLLOW_UP_TESTS}::test_what_stops_a_follow_up_leaves_ci_to_be_reported",
        ),
    ),
    Sentence(
        "1.40",
        (Branch(GATHER, "_gather", "isinstance(evidence, Evidence)"),),
        (f"{FOLLOW_UP_TESTS}::test_what_stops_a_follow_up_leaves_ci_to_be_reported",),
    ),
    Sentence(
        "1.41",
        (Branch(POLL, "_may_follow_up", "ports.agent == WITHOUT_MODEL"),),
        (f"{FOLLOW_UP_TESTS}::test_an_agent_without_a_model_is_not_asked_about_ci",),
    ),
    Sentence(
        "1.42",
        (
            Branch("autoswe.steps.feedback.push_fix", "_Push._unchanged", "self.request.state.first is not None"),
            Branch("autoswe.steps.feedback.push_fix", "_Push._recorded", "self.fire.commit_sha != followed"),
        ),
        (
            f"{FOLLOW_UP_TESTS}::test_the_follow_up_moves_the_branch_by_one_commit_on_top_of_the_fix",
            f"{FOLLOW_UP_TESTS}::test_a_follow_up_that_changes_nothing_leaves_the_report_of_the_fix_alone",
        ),
    ),
)
