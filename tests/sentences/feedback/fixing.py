"""§3: what the fixer works on, and what comes back."""

from tests.sentences.sentence import Branch, Inversion, Sentence

BRIEF = "autoswe.rules.feedback.brief"
ELIGIBILITY = "autoswe.rules.feedback.eligibility"
GATHER = "autoswe.steps.feedback.gather_feedback"
THREADS = "autoswe.github.discussions.threads"
PROMPT = "autoswe.rules.feedback.fixer_prompt"
SUGGESTIONS = "autoswe.rules.text.suggestions"
MODEL_AGENT = "autoswe.tasks.feedback.model_agent"
RESULTS = "autoswe.steps.feedback.fixer_results"

BRIEF_TESTS = "tests/rules/feedback/test_brief.py"
PROMPT_TESTS = "tests/rules/feedback/test_fixer_prompt.py"
SUGGESTION_TESTS = "tests/rules/text/test_suggestions.py"
MODEL_AGENT_TESTS = "tests/tasks/feedback/test_model_agent.py"
SOURCE_TESTS = "tests/adapters/github/git/test_source.py"
GATHER_TESTS = "tests/steps/feedback/test_gather_feedback.py"
ARTIFACT_TESTS = "tests/steps/feedback/test_gathered_artifacts.py"

SENTENCES = (
    Sentence(
        "3.1",
        (
            Branch("autoswe.steps.source", "_files", "entry is not None and git_blob_id(content) == entry.sha"),
            Branch("autoswe.steps.source", "store_source", "tree.truncated"),
            Branch("autoswe.github.git.source", "Objects.tree", "whole.truncated"),
        ),
        (
            f"{ARTIFACT_TESTS}::test_the_source_is_the_tree_even_where_the_archive_is_not",
            f"{ARTIFACT_TESTS}::test_a_truncated_tree_is_never_taken_for_the_whole",
            f"{SOURCE_TESTS}::TestTrees::test_a_tree_that_is_cut_off_is_walked_folder_by_folder",
        ),
    ),
    Sentence(
        "3.2",
        (
            Branch(BRIEF, "_keep_trusted", "are_trusted_words(c.author, c.edit, trusted)"),
            Branch(ELIGIBILITY, "are_trusted_words", "author is None or not trusted(author)"),
        ),
        (f"{BRIEF_TESTS}::test_a_comment_is_kept_only_for_its_own_author",),
    ),
    Sentence(
        "3.23",
        (
            Branch(ELIGIBILITY, "are_trusted_words", "edit is None"),
            Branch(ELIGIBILITY, "are_trusted_words", "edit.editor is not None and trusted(edit.editor)"),
            Branch(GATHER, "_Trust.requester", "author.is_bot"),
            Branch(THREADS, "_last_edit", "changed"),
        ),
        (
            f"{BRIEF_TESTS}::test_a_comment_that_somebody_who_is_not_trusted_changed_last_is_left_out_and_counted",
            f"{BRIEF_TESTS}::test_a_comment_that_its_author_or_another_trusted_person_changed_is_kept",
            "tests/rules/feedback/test_eligibility.py"
            "::test_words_count_only_if_everybody_who_is_known_to_have_written_them_is_trusted",
            "tests/steps/feedback/test_last_editors.py::test_a_bot_is_no_editor_to_trust_whatever_is_on_record_of_it",
            "tests/adapters/github/discussions/test_threads.py"
            "::test_any_sign_of_a_change_is_one_and_an_editor_who_is_not_named_is_nobody",
        ),
    ),
    Sentence(
        "3.3",
        (Branch(BRIEF, "_keep_trusted", "are_trusted_words(opener.author, opener.edit, trusted)"),),
        (
            f"{BRIEF_TESTS}::test_a_thread_that_a_stranger_opened_is_dropped_and_counted",
            f"{BRIEF_TESTS}"
            "::test_a_thread_whose_first_comment_a_stranger_changed_is_dropped_and_counted_but_for_the_triggers_own",
        ),
    ),
    Sentence(
        "3.4",
        (Branch(BRIEF, "_keep_trusted", "c.comment_id == trigger_comment_id"),),
        (
            f"{BRIEF_TESTS}::test_the_triggers_own_thread_is_kept_comment_by_comment_whoever_opened_it",
            f"{BRIEF_TESTS}::test_a_thread_that_a_stranger_opened_is_dropped_and_counted",
        ),
    ),
    Sentence(
        "3.5",
        (Branch(BRIEF, "_keep_trusted", "thread.resolved"),),
        (f"{BRIEF_TESTS}::test_a_resolved_thread_is_not_open_feedback",),
    ),
    Sentence(
        "3.6",
        (Branch(BRIEF, "_keep_trusted", "c.pending"), Branch(BRIEF, "_keep_trusted", "c.minimized")),
        (f"{BRIEF_TESTS}::test_a_hidden_or_unsubmitted_comment_is_not_feedback",),
    ),
    Sentence(
        "3.7",
        (
            Branch(SUGGESTIONS, "judge_anchor", "anchor.commented_lines != anchor.head_lines"),
            Branch(SUGGESTIONS, "_replace", "result and not _line_end(lines[-1])"),
        ),
        (
            f"{SUGGESTION_TESTS}::test_only_a_current_comment_on_unchanged_new_lines_is_applied",
            f"{SUGGESTION_TESTS}::test_a_file_ends_as_it_ended_unless_its_last_line_became_empty",
        ),
    ),
    Sentence(
        "3.8",
        (Branch(SUGGESTIONS, "read_suggestion", "len(suggestions) > 1"),),
        (f"{SUGGESTION_TESTS}::test_a_comment_reads_as_github_reads_it",),
    ),
    Sentence(
        "3.9",
        (
            Branch(
                SUGGESTIONS,
                "_refusals",
                "furthest is not None and edit.start_line <= ordered[furthest].end_line",
            ),
        ),
        (
            f"{SUGGESTION_TESTS}::test_suggestions_that_share_a_line_are_both_refused_and_others_still_applied",
            f"{SUGGESTION_TESTS}::test_exactly_the_suggestions_that_share_a_line_overlap",
        ),
    ),
    Sentence(
        "3.10",
        (
            Branch(MODEL_AGENT, "ModelAgent.__call__", "thread.label not in settled"),
            Branch(MODEL_AGENT, "ModelAgent.__call__", "one.outcome is ThreadOutcomeKind.ADDRESSED"),
        ),
        (
            f"{MODEL_AGENT_TESTS}::test_where_suggestions_settle_every_thread_no_program_is_started",
            f"{MODEL_AGENT_TESTS}"
            "::test_the_program_sees_suggestions_applied_and_is_asked_about_the_other_threads_alone",
        ),
    ),
    Sentence(
        "3.11",
        (Branch(PROMPT, "compose_prompt", "work", Inversion.LEFT_OUT),),
        (f"{PROMPT_TESTS}::test_the_prompt_names_persona_mode_commit_labels_and_the_mark",),
    ),
    Sentence(
        "3.12",
        (
            Branch("autoswe.rules.text.fence", "join_fenced", "_HEADER", Inversion.LEFT_OUT),
            Branch("autoswe.rules.text.fence", "fence", "longest + 1"),
        ),
        (
            f"{PROMPT_TESTS}::test_blocks_are_announced_as_data_and_come_in_order",
            "tests/rules/text/test_fence.py::test_a_brief_says_once_that_its_blocks_are_data",
            "tests/rules/text/test_fence.py::test_a_fence_is_longer_by_one_than_any_run_in_it_and_three_at_least",
        ),
    ),
    Sentence(
        "3.13",
        (
            Branch(MODEL_AGENT, "_match", "answer.head_sha != head_sha"),
            Branch(MODEL_AGENT, "_match", "len(answered) < len(answer.threads)"),
            Branch(MODEL_AGENT, "_match", "answered.keys() <= {thread.label for thread in asked}"),
        ),
        (f"{MODEL_AGENT_TESTS}::test_an_answer_that_does_not_fit_the_question_fails_the_task",),
    ),
    Sentence(
        "3.14",
        (
            Branch(PROMPT, "compose_prompt", "task is not None"),
            Branch("autoswe.steps.feedback.gather_feedback", "_fixer_brief", "task=task", Inversion.LEFT_OUT),
            Branch("autoswe.steps.feedback.agent_follow_up", "followed_up", "origin.kind is not OriginKind.AGENT_RUN"),
        ),
        (
            f"{PROMPT_TESTS}::test_an_agent_that_opened_the_pull_request_begins_with_the_task_that_it_was_given",
            f"{GATHER_TESTS}"
            "::test_the_agent_that_opened_the_pull_request_is_told_what_it_was_asked_to_do_and_no_other_is",
        ),
    ),
    Sentence(
        "3.15",
        (Branch("autoswe.rules.feedback.agent_runs", "FOLLOWED_UP", "RunScope.GLOBAL", Inversion.LEFT_OUT),),
        (
            "tests/rules/feedback/test_agent_runs.py"
            "::test_agents_of_the_platform_or_an_organisation_are_set_to_work_again_and_no_others",
        ),
    ),
    Sentence(
        "3.16",
        (
            Branch(
                "autoswe.steps.feedback.gather_feedback",
                "_gather",
                "_stop(judge_follow_up(origin.kind if origin else None, agent_runs_on=settings.is_on(AGENT_RUNS)))",
                Inversion.LEFT_OUT,
            ),
            Branch(
                "autoswe.steps.feedback.gather_feedback",
                "_gather",
                "_stop(count_follow_up(decision, settings, ports.records, ports.clock()))",
                Inversion.LEFT_OUT,
            ),
        ),
        (
            f"{GATHER_TESTS}::test_one_reason_is_enough_to_skip_without_spending_a_fix",
            f"{GATHER_TESTS}::test_a_follow_up_takes_no_place_among_the_agent_runs_that_are_at_work",
        ),
    ),
    Sentence(
        "3.17",
        (
            Branch("autoswe.tasks.feedback.collect", "_Collector._take", "entry.is_file(follow_symlinks=False)"),
            Branch(
                "autoswe.tasks.feedback.collect",
                "_Collector._take",
                "entry.stat(follow_symlinks=False).st_nlink == 1",
            ),
        ),
        (
            "tests/tasks/feedback/test_collect.py"
            "::test_what_is_not_a_regular_file_is_left_out_when_new_and_refused_where_the_source_has_a_file",
        ),
    ),
    Sentence(
        "3.18",
        (
            Branch(RESULTS, "read_results", "change.head_sha != gathered.head_sha"),
            Branch(RESULTS, "read_results", "report.change_sha256 != sha256(raw_change).hexdigest()"),
            Branch(RESULTS, "read_results", "set(outcomes) <= labels"),
        ),
        ("tests/steps/feedback/test_push_fix.py::test_one_gate_that_says_no_is_enough",),
    ),
    Sentence(
        "3.19",
        (Branch("autoswe.steps.feedback.gate_planning", "plan_gates", "recorded is not None"),),
        (
            f"{ARTIFACT_TESTS}::test_recorded_gates_are_used_without_reading_the_base",
            f"{ARTIFACT_TESTS}::test_gates_that_are_not_recorded_are_detected_from_the_base_commit",
        ),
    ),
    Sentence(
        "3.20",
        (Branch("autoswe.steps.feedback.gate_planning", "_detect", "tree.truncated"),),
        (f"{ARTIFACT_TESTS}::test_gates_that_cannot_be_read_are_not_taken_for_none",),
    ),
    Sentence(
        "3.21",
        (
            Branch("autoswe.tasks.feedback.gates", "_judge_gate", "_fails_too(gate, reference())"),
            Branch(RESULTS, "HARMLESS_GATES", "GateStatus.ALREADY_FAILING", Inversion.LEFT_OUT),
        ),
        (
            "tests/tasks/feedback/test_gates.py::test_a_gate_that_passes_on_neither_was_failing_already",
            "tests/tasks/feedback/test_gates.py::test_a_gate_that_passes_on_the_pristine_source_only_blames_the_change",
            "tests/steps/feedback/test_push_fix.py::test_a_gate_that_failed_before_the_change_does_not_block",
        ),
    ),
    Sentence(
        "3.22",
        (Branch("autoswe.tasks.feedback.sandbox", "Sandbox.prepare", "os.geteuid() == 0"),),
        ("tests/tasks/feedback/test_sandbox.py::test_as_root_programs_run_as_nobody",),
    ),
)
