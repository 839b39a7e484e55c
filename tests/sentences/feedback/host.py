"""§10: a host that lags, refuses and is away."""

from tests.sentences.sentence import Branch, Inversion, Sentence

GATHER = "autoswe.steps.feedback.gather_feedback"
FOLLOW_UP = "autoswe.steps.feedback.gather_follow_up"
POLL = "autoswe.steps.feedback.poll_ci"
PUSH = "autoswe.steps.feedback.push_fix"
WRITES = "autoswe.steps.feedback.comment_writes"
CLOSE = "autoswe.steps.feedback.close_round"
ATTEMPTS = "autoswe.rules.records.attempts"
TRANSITIONS = "autoswe.dynamodb.feedback.transitions"
HOLD_TESTS = "tests/adapters/dynamodb/intake/test_holds.py"
REFUSALS = "autoswe.github.transport.refusals"

GATHER_TESTS = "tests/steps/feedback/test_gather_feedback.py"
FOLLOW_UP_TESTS = "tests/steps/feedback/test_follow_up.py"
POLL_TESTS = "tests/steps/feedback/test_poll_ci.py"
PUSH_TESTS = "tests/steps/feedback/test_push_fix.py"
RESPOND_TESTS = "tests/steps/feedback/test_respond.py"
CLOSE_TESTS = "tests/steps/feedback/test_close_round.py"
REFUSAL_TESTS = "tests/adapters/github/transport/test_refusals.py"
RECORD_TESTS = "tests/adapters/dynamodb/feedback/test_round_recordings.py"
LAG_TESTS = "tests/rules/feedback/test_lag.py"
WORKFLOW_TESTS = "tests/architecture/test_workflows.py"

SENTENCES = (
    Sentence(
        "10.1",
        (
            Branch(GATHER, "_refuse_absence", "may_still_show(decision.decided_at, ports.clock())"),
            Branch(GATHER, "_gather", "not feedback.threads"),
            Branch(GATHER, "_gather", "shows_comment(feedback.threads, trigger_comment)"),
            Branch(GATHER, "_gather", "requester.permission is Permission.NONE"),
            Branch(GATHER, "_read_trigger", "is_absence=text is None", Inversion.LEFT_OUT),
        ),
        (
            f"{GATHER_TESTS}::test_within_two_minutes_of_the_delivery_an_absence_is_no_answer",
            f"{GATHER_TESTS}::test_threads_that_lack_the_inline_comment_that_asked_are_not_all_of_them_yet",
        ),
    ),
    Sentence(
        "10.2",
        (
            Branch(POLL, "poll_ci", "may_still_show(fire.commit_pushed_at, now)"),
            Branch(FOLLOW_UP, "_refuse_absence", "may_still_show(fire.commit_pushed_at, ports.clock())"),
            Branch(FOLLOW_UP, "_gather", "pull.head_sha == first.gather.value.head_sha"),
        ),
        (
            f"{POLL_TESTS}::test_a_pushed_commit_that_does_not_show_is_looked_for_again_for_two_minutes",
            f"{FOLLOW_UP_TESTS}::test_a_pushed_commit_that_does_not_show_yet_is_no_reason_to_leave_ci_red",
        ),
    ),
    Sentence(
        "10.3",
        (Branch(WRITES, "CommentWrites._edited", "may_still_show(seen.intended_at, self.clock())"),),
        (f"{RESPOND_TESTS}::test_a_summary_that_is_gone_is_posted_anew_but_not_while_it_may_still_show",),
    ),
    Sentence(
        "10.4",
        (
            Branch(PUSH, "push_fix", "push.try_again(str(error))", Inversion.LEFT_OUT),
            Branch(PUSH, "_Push._may_pass", "refusal is PushRefusal.BRANCH_MISSING"),
        ),
        (
            f"{PUSH_TESTS}::test_what_we_just_made_may_not_show_yet",
            f"{PUSH_TESTS}::test_what_may_be_old_news_while_the_branch_stands_is_refused_after_two_minutes",
        ),
    ),
    Sentence(
        "10.5",
        (Branch(REFUSALS, "judge", "_is_fresh(request, now)"),),
        (
            f"{REFUSAL_TESTS}::test_a_denial_to_a_fresh_credential_may_pass",
            f"{WORKFLOW_TESTS}::test_what_may_pass_in_a_moment_is_tried_again_for_long_enough",
        ),
    ),
    Sentence(
        "10.6",
        (
            Branch(REFUSALS, "_throttled", "answer.status == codes.UNPROCESSABLE_ENTITY"),
            Branch(REFUSALS, "about_a_limit", "_CODE_OF_A_LIMIT in said.split('; ')"),
            Branch(WRITES, "CommentWrites._is_final", "isinstance(error, RateLimited)"),
        ),
        (
            f"{REFUSAL_TESTS}::test_status_and_message_together_decide_what_a_refusal_is",
            f"{REFUSAL_TESTS}::test_a_write_that_is_rejected_by_the_code_abuse_came_too_quickly",
            f"{RESPOND_TESTS}::test_a_limit_leaves_nothing_in_doubt_and_the_next_try_goes_on",
            f"{RESPOND_TESTS}::test_a_limit_that_lasts_for_long_gives_up_no_reply",
        ),
    ),
    Sentence(
        "10.7",
        (
            Branch(PUSH, "_Push._may_pass", "self.host.ref(f'heads/{self.fire.head_ref}') == self.fire.head_sha"),
            Branch(PUSH, "_Push._move", "isinstance(error, RuleBroken)"),
        ),
        (
            f"{PUSH_TESTS}::test_what_may_be_old_news_while_the_branch_stands_is_refused_after_two_minutes",
            f"{PUSH_TESTS}::test_one_gate_that_says_no_is_enough",
        ),
    ),
    Sentence(
        "10.8",
        (
            Branch(WRITES, "CommentWrites._is_final", "is_recent(self.rounds.doubted_seconds(self.decision, write))"),
            Branch(WRITES, "CommentWrites.reply", "self._doubted.append(later)", Inversion.LEFT_OUT),
        ),
        (
            f"{RESPOND_TESTS}::test_a_reply_that_is_refused_in_a_bad_moment_is_made_after_everything_else",
            f"{RESPOND_TESTS}::test_a_reply_that_is_refused_for_two_minutes_is_given_up_and_the_round_is_not",
        ),
    ),
    Sentence(
        "10.9",
        (
            Branch(REFUSALS, "judge", "_is_final(message)"),
            Branch(WRITES, "CommentWrites._is_final", "isinstance(error, Refused | Barred)"),
        ),
        (
            f"{REFUSAL_TESTS}::test_status_and_message_together_decide_what_a_refusal_is",
            f"{RESPOND_TESTS}::test_a_locked_conversation_is_noted_and_ends_no_round",
            f"{RESPOND_TESTS}::test_a_thread_that_takes_no_reply_costs_neither_the_others_nor_the_summary",
        ),
    ),
    Sentence(
        "10.10",
        (
            Branch(
                CLOSE,
                "_outcome",
                "state.report_error is not None and (not _is_pushed(state.push))",
            ),
            Branch(CLOSE, "close_round", "request.state.ci_report is None"),
        ),
        (
            f"{CLOSE_TESTS}::test_the_outcome_follows_from_what_the_steps_answered",
            f"{CLOSE_TESTS}::test_a_report_that_never_was_is_on_record_and_one_that_was_made_up_for_is_not",
        ),
    ),
    Sentence(
        "10.11",
        (
            Branch(POLL, "poll_ci", "is_recent(ports.rounds.doubted_seconds(decision, 'required checks'))"),
            Branch(POLL, "poll_ci", "verdict.reason is CiReason.REQUIRED_UNREADABLE"),
        ),
        (
            f"{POLL_TESTS}::test_what_cannot_be_read_has_to_stay_so_before_ci_is_unknown",
            f"{POLL_TESTS}::test_a_failure_is_told_at_once_whatever_cannot_be_read",
        ),
    ),
    Sentence(
        "10.12",
        (
            Branch(WRITES, "CommentWrites.put_summary", "(comment_id := _id(seen)) is not None"),
            Branch(WRITES, "CommentWrites._post", "seen.effect is None"),
        ),
        (
            f"{RESPOND_TESTS}::test_what_is_on_record_as_written_is_neither_looked_for_nor_written_again",
            f"{RESPOND_TESTS}::test_another_rounds_report_edits_the_summary_on_record_whatever_lists_show",
            f"{RESPOND_TESTS}::test_a_comment_whose_id_was_lost_is_found_by_its_marker_and_not_posted_again",
        ),
    ),
    Sentence(
        "10.13",
        (
            Branch("autoswe.dynamodb.feedback.rounds", "RoundTable.announce", "seen is None"),
            Branch(WRITES, "CommentWrites._post", "announced is None"),
        ),
        (
            f"{RESPOND_TESTS}::test_two_tries_that_overlap_post_once",
            f"{RECORD_TESTS}::TestWrites::test_of_two_that_saw_the_same_record_one_may_announce_a_write",
        ),
    ),
    Sentence(
        "10.14",
        (
            Branch(
                "autoswe.dynamodb.feedback.transitions",
                "record_commit",
                "fire.commit_sha not in {commit_sha, instead_of}",
            ),
        ),
        (
            f"{RECORD_TESTS}::TestRecording::test_a_commit_that_another_try_recorded_meanwhile_stays_on_record",
            f"{PUSH_TESTS}::test_of_two_tries_that_overlap_both_push_the_commit_that_was_recorded_first",
        ),
    ),
    Sentence(
        "10.15",
        (
            Branch(WRITES, "Pace.__call__", "self.sleep(SECONDS_APART)", Inversion.LEFT_OUT),
            Branch(WRITES, "Pace.__call__", "not self.left"),
        ),
        (
            f"{RESPOND_TESTS}::test_writes_are_a_second_apart_and_many_take_several_calls",
            f"{WORKFLOW_TESTS}::test_a_report_on_all_threads_that_are_read_comes_to_its_end",
        ),
    ),
    Sentence(
        "10.16",
        (),
        (
            f"{WORKFLOW_TESTS}::test_an_outage_of_three_hours_is_waited_for_and_no_pause_outlasts_the_lease",
            f"{WORKFLOW_TESTS}::test_the_fixer_is_waited_for_within_one_lease",
        ),
        by_shape="`feedback_round.asl.json` names the errors that pass, and how long they are waited for",
    ),
    Sentence(
        "10.17",
        (
            Branch(CLOSE, "_is_unfinished", "any(map(passes, failures))"),
            Branch(ATTEMPTS, "may_be_taken_up", "attempt + 1 < MOST_ATTEMPTS"),
            Branch(ATTEMPTS, "may_be_taken_up", "now - decided_at < TIME_FOR_ATTEMPTS"),
            Branch(TRANSITIONS, "_is_to_be_taken_up", "slot.fence == fire.fence"),
        ),
        (
            f"{CLOSE_TESTS}::test_a_round_that_failed_for_a_reason_that_may_pass_is_taken_up_again",
            f"{CLOSE_TESTS}::test_a_round_is_tried_three_times_in_all",
            f"{CLOSE_TESTS}::test_a_round_is_taken_up_within_a_day_of_its_decision",
            f"{HOLD_TESTS}::test_a_failed_round_is_not_taken_up_once_another_decision_had_the_pull_request",
        ),
    ),
    Sentence(
        "10.18",
        (Branch(ATTEMPTS, "passes", "error in _PASSING"),),
        (
            f"{CLOSE_TESTS}::test_a_round_that_failed_for_a_reason_that_may_pass_is_taken_up_again",
            f"{CLOSE_TESTS}::test_what_would_end_so_again_and_what_an_operator_aborted_is_not_taken_up",
        ),
    ),
    Sentence(
        "10.19",
        (
            Branch(CLOSE, "close_round", "pushed"),
            Branch(CLOSE, "_is_unfinished", "state.report is None"),
        ),
        (
            f"{CLOSE_TESTS}::test_a_round_that_has_pushed_succeeded_and_is_taken_up_until_its_summary_is_true",
            f"{CLOSE_TESTS}::test_a_pushed_round_that_has_told_what_came_of_it_is_not_taken_up",
        ),
    ),
    Sentence(
        "10.20",
        (Branch("autoswe.steps.feedback.respond", "respond", "fire.head_sha is None"),),
        (
            f"{RESPOND_TESTS}::test_a_round_that_failed_before_its_requester_was_found_trusted_tells_nobody",
            f"{RESPOND_TESTS}::test_a_round_that_failed_while_it_gathered_for_somebody_trusted_is_told",
        ),
    ),
    Sentence(
        "10.21",
        (Branch(CLOSE, "_take_up", "ports.rounds.note(decision, taken_up(attempt + 1))", Inversion.LEFT_OUT),),
        (f"{CLOSE_TESTS}::test_a_round_that_failed_for_a_reason_that_may_pass_is_taken_up_again",),
    ),
)
