"""§4: what reaches the model, and what reaches the pull request; §9: limitations."""

from tests.sentences.sentence import Branch, Inversion, Sentence

BRIEF = "autoswe.rules.feedback.brief"
SCREEN = "autoswe.rules.text.screen"
LOGS = "autoswe.rules.feedback.ci_logs"
NEUTRALISE = "autoswe.rules.text.neutralise"
SUMMARY = "autoswe.rules.feedback.summary"
CLAIM = "autoswe.rules.feedback.report"
RESPOND = "autoswe.steps.feedback.respond"
WRITES = "autoswe.steps.feedback.comment_writes"
PUSH_REPORT = "autoswe.steps.feedback.push_report"
INTAKE = "autoswe.rules.intake.admission"
RESOLVE = "autoswe.steps.intake.resolve_intake"

BRIEF_TESTS = "tests/rules/feedback/test_brief.py"
LOG_TESTS = "tests/rules/feedback/test_ci_logs.py"
NEUTRALISE_TESTS = "tests/rules/text/test_neutralise.py"
SUMMARY_TESTS = "tests/rules/feedback/test_summary.py"
CLAIM_TESTS = "tests/rules/feedback/test_report.py"
RESPOND_TESTS = "tests/steps/feedback/test_respond.py"
RESOLVE_TESTS = "tests/steps/intake/test_resolve_intake.py"

SENTENCES = (
    Sentence(
        "4.1",
        (Branch(BRIEF, "_keep_trusted", "MAX_THREADS"), Branch(BRIEF, "_keep_trusted", "MAX_COMMENTS")),
        (f"{BRIEF_TESTS}::test_the_hundred_and_first_thread_and_the_fifty_first_comment_are_not_read",),
    ),
    Sentence(
        "4.2",
        (Branch(BRIEF, "compose_brief", "MAX_COMMENT_CHARACTERS"),),
        (f"{BRIEF_TESTS}::test_a_comment_is_cut_at_four_thousand_characters",),
    ),
    Sentence(
        "4.3",
        (Branch(BRIEF, "compose_brief", "len(text) > budget"),),
        (
            f"{BRIEF_TESTS}::test_a_brief_stays_within_its_bound_and_leaves_no_label_for_a_part",
            f"{BRIEF_TESTS}::test_a_brief_may_be_exactly_as_long_as_its_bound",
        ),
    ),
    Sentence(
        "4.4",
        (Branch("autoswe.rules.text.html_comments", "strip_html_comments", "assembled != -1"),),
        (
            f"{BRIEF_TESTS}::test_html_comments_never_reach_the_fixer",
            "tests/rules/text/test_html_comments.py::test_a_comment_is_removed_whole",
        ),
    ),
    Sentence(
        "4.5",
        (
            Branch(BRIEF, "compose_brief", "isinstance(verdict, Refused)"),
            Branch(BRIEF, "compose_brief", "isinstance(v := next(rest), Refused)"),
            Branch(BRIEF, "compose_brief", "isinstance(notes, Refused)"),
        ),
        (
            f"{BRIEF_TESTS}::test_an_injection_is_refused_and_counted_and_takes_nothing_else_with_it",
            f"{BRIEF_TESTS}::test_an_injection_in_the_trigger_itself_is_refused_too",
        ),
    ),
    Sentence(
        "4.6",
        (Branch(SCREEN, "_screen", "pattern.search(views[rule.view])"), Branch(SCREEN, "_screen", "met")),
        (
            "tests/rules/text/test_screen.py::test_every_rule_refuses_what_it_is_there_for",
            "tests/rules/text/test_screen.py::test_ordinary_review_talk_passes_unchanged",
        ),
    ),
    Sentence(
        "4.7",
        (Branch(BRIEF, "_keep_trusted", "len(comments) - len(believed)"),),
        (
            f"{BRIEF_TESTS}::test_the_comments_that_were_left_out_are_counted_over_all_threads",
            f"{BRIEF_TESTS}::test_a_comment_that_somebody_who_is_not_trusted_changed_last_is_left_out_and_counted",
        ),
    ),
    Sentence(
        "4.8",
        (Branch("autoswe.rules.text.fence", "_without_labels", "re2.sub(posing, r'\\1(\\2)', lines)"),),
        (
            f"{BRIEF_TESTS}::test_no_text_of_a_reviewer_opens_a_block_of_another_label",
            "tests/rules/text/test_fence.py::test_no_line_of_a_text_poses_as_a_label",
            "tests/rules/text/test_fence.py::test_a_line_that_begins_like_a_label_gets_round_brackets",
        ),
    ),
    Sentence(
        "4.9",
        (),
        (
            "tests/scenarios/feedback/test_canaries.py::test_nothing_else_reaches_the_agent",
            "tests/scenarios/feedback/test_canaries.py::test_everything_that_an_agent_can_be_given_was_looked_at",
        ),
        by_shape="`contracts.feedback.fixing:FixerBrief` has no field for either",
    ),
    Sentence(
        "4.10",
        (
            Branch(LOGS, "_sources", "redact_wrapped(status.description).text"),
            Branch(LOGS, "_end", "redact_wrapped(_STAMP.sub('', lines)).text"),
        ),
        (f"{LOG_TESTS}::test_no_token_is_shown_in_any_part",),
    ),
    Sentence(
        "4.11",
        (
            Branch(LOGS, "ci_brief", "met"),
            Branch("autoswe.rules.feedback.follow_up", "judge_unusable", "isinstance(said, Refused)"),
        ),
        (
            f"{LOG_TESTS}::test_one_source_that_speaks_to_a_machine_ends_the_matter",
            "tests/steps/feedback/test_follow_up.py::test_what_stops_a_follow_up_leaves_ci_to_be_reported",
        ),
    ),
    Sentence(
        "4.12",
        (
            Branch(LOGS, "_end", "len(text) - MAX_SOURCE_CHARACTERS"),
            Branch(LOGS, "_within_budget", "len(block) > budget"),
        ),
        (
            f"{LOG_TESTS}::test_the_end_of_a_long_log_is_kept_in_whole_lines",
            f"{LOG_TESTS}::test_what_is_beyond_the_bound_is_left_out_whole_and_counted",
        ),
    ),
    Sentence(
        "4.13",
        (Branch(LOGS, "_end", "UNSEEN_CHARACTERS"),),
        (f"{LOG_TESTS}::test_where_a_log_was_cut_nothing_is_shown_that_could_be_the_end_of_a_secret",),
    ),
    Sentence(
        "4.24",
        (Branch("autoswe.github.transport.api", "Api.download_end", "length is not None and length > most"),),
        (
            "tests/adapters/github/checks/test_evidence.py::TestLogs::test_of_a_log_of_any_size_the_end_alone_is_fetched",
        ),
    ),
    Sentence(
        "4.14",
        (Branch("autoswe.github.transport.api", "Api._redirected", "credential=None", Inversion.LEFT_OUT),),
        (
            "tests/adapters/github/transport/test_api.py::TestDownloads::test_the_redirection_is_followed_without_the_credential",
        ),
    ),
    Sentence(
        "4.15",
        (
            Branch(WRITES, "CommentWrites.put_summary", "(comment_id := _id(seen)) is not None"),
            Branch(WRITES, "CommentWrites.put_summary", "seen.content == _digest(body)"),
        ),
        (
            f"{RESPOND_TESTS}::test_the_first_report_posts_one_summary_and_one_reply_per_thread",
            f"{RESPOND_TESTS}::test_reporting_twice_with_the_same_state_changes_nothing_the_second_time",
        ),
    ),
    Sentence(
        "4.16",
        (Branch(RESPOND, "respond", "request.state.report is None"),),
        (f"{RESPOND_TESTS}::test_the_ci_update_edits_the_summary_and_replies_to_nobody",),
    ),
    Sentence(
        "4.17",
        (Branch(WRITES, "CommentWrites.reply", "seen.effect not in {None, _NOT_MADE}"),),
        (
            f"{RESPOND_TESTS}::test_a_report_that_was_interrupted_after_a_reply_posts_only_what_is_missing",
            f"{RESPOND_TESTS}::test_the_first_report_posts_one_summary_and_one_reply_per_thread",
        ),
    ),
    Sentence(
        "4.18",
        (Branch(WRITES, "CommentWrites._find", "one.author_id == self.bot_id"),),
        (f"{RESPOND_TESTS}::test_a_marker_in_somebody_elses_comment_counts_for_nothing",),
    ),
    Sentence(
        "4.19",
        (
            Branch(NEUTRALISE, "_unless_plain", "char == ' ' or unicodedata.category(char)[0] in 'LMN'"),
            Branch(NEUTRALISE, "_inline_pieces", "char in _SET_OFF"),
            Branch(NEUTRALISE, "_with_long_hex_runs", "run > _LONGEST_HEX_RUN"),
        ),
        (
            f"{NEUTRALISE_TESTS}::test_nothing_in_a_line_acts",
            f"{NEUTRALISE_TESTS}::test_after_every_sixth_hexadecimal_digit_a_run_is_broken",
        ),
    ),
    Sentence(
        "4.20",
        (Branch(SUMMARY, "_push_lines", "summary.ci"), Branch(SUMMARY, "_push_lines", "summary.commit_sha")),
        (f"{SUMMARY_TESTS}::test_the_summary_names_the_pushed_commit_and_how_ci_stands",),
    ),
    Sentence(
        "4.21",
        (
            Branch(CLAIM, "corroborates", "path in changed and path != place.path"),
            Branch(CLAIM, "corroborates", "first <= place.end_line + NEAR_LINES"),
            Branch(CLAIM, "corroborates", "last >= start"),
            Branch(
                "autoswe.steps.feedback.push_report", "_report_thread", "corroborates(place, outcome.places, changed)"
            ),
        ),
        (
            f"{CLAIM_TESTS}::test_addressed_is_claimed_when_the_change_is_near_the_threads_lines",
            f"{CLAIM_TESTS}::test_another_changed_file_that_the_outcome_names_bears_it_out",
            f"{CLAIM_TESTS}::test_naming_an_unchanged_file_or_the_threads_own_far_change_bears_out_nothing",
            "tests/steps/feedback/test_push_fix.py::test_the_report_claims_only_what_the_change_bears_out",
        ),
    ),
    Sentence(
        "4.22",
        (
            Branch(SUMMARY, "summary_body", "summary.late"),
            Branch(RESPOND, "respond", "bool(late)"),
        ),
        (
            f"{SUMMARY_TESTS}::test_the_line_about_late_feedback_appears_only_when_something_was_late",
            f"{RESPOND_TESTS}::test_late_feedback_is_mentioned_only_when_something_was_suppressed",
        ),
    ),
    Sentence(
        "4.23",
        (
            Branch(WRITES, "CommentWrites._post", "(found := find()) is not None"),
            Branch(WRITES, "CommentWrites._post", "may_still_show(seen.intended_at, self.clock())"),
        ),
        (
            f"{RESPOND_TESTS}::test_a_write_whose_reply_was_lost_is_not_made_again_before_it_had_time_to_show",
            f"{RESPOND_TESTS}::test_a_comment_whose_id_was_lost_is_found_by_its_marker_and_not_posted_again",
        ),
    ),
    Sentence(
        "9.1",
        (Branch("autoswe.github.discussions.threads", "_check_whole", "page.has_next_page and count < bound"),),
        (
            "tests/adapters/github/discussions/test_threads.py::test_fewer_threads_than_the_host_has_is_partial",
            "tests/adapters/github/discussions/test_threads.py::test_fewer_comments_than_the_host_has_is_partial",
            "tests/adapters/github/discussions/test_threads.py::test_more_than_the_bounds_is_left_alone",
        ),
    ),
    Sentence(
        "9.2",
        (
            Branch(INTAKE, "admit", "context.opened_by_platform or not context.others_allowed"),
            Branch(INTAKE, "admit", "if_on_host=bool(others)", Inversion.LEFT_OUT),
            Branch(RESOLVE, "_admit", "admission.if_on_host"),
            Branch(RESOLVE, "resolve_intake", "isinstance(admission, IntakeRefusal)"),
        ),
        (
            "tests/rules/intake/test_admission.py"
            "::test_a_head_is_read_only_for_a_command_on_a_pull_request_of_others_where_they_are_allowed_and_taken",
            "tests/rules/intake/test_admission.py"
            "::test_a_command_on_a_pull_request_of_others_is_admitted_if_the_host_knows_it",
            f"{RESOLVE_TESTS}::test_an_intake_is_claimed_as_a_delivery_is_and_what_became_of_it_is_recorded",
            f"{RESOLVE_TESTS}::test_where_nothing_could_start_any_more_the_host_is_not_asked_and_nothing_is_claimed",
            f"{RESOLVE_TESTS}"
            "::test_where_others_are_not_allowed_any_more_the_round_says_so_and_the_host_is_not_asked_here",
        ),
    ),
    Sentence(
        "9.3",
        (Branch(RESOLVE, "_admit", "_is_on_host(offer, ports)"),),
        (
            f"{RESOLVE_TESTS}::test_a_pull_request_that_is_gone_is_ignored_and_nothing_is_claimed_or_tried_again",
            f"{RESOLVE_TESTS}::test_a_pull_request_of_others_is_looked_for_on_the_host_before_the_decision_is_claimed",
        ),
    ),
    Sentence(
        "9.4",
        (
            Branch("autoswe.dynamodb.table.keys", "pull_partition", "connection", Inversion.LEFT_OUT),
            Branch("autoswe.dynamodb.intake.claims", "claim_writes", "offer.connection", Inversion.LEFT_OUT),
        ),
        (
            "tests/adapters/dynamodb/intake/test_intake.py::test_another_pull_request_or_connection_has_its_own_slot",
            "tests/scenarios/feedback/test_two_hosts.py::test_a_round_on_one_host_holds_up_nothing_on_the_other",
        ),
    ),
)
