"""§5: the gates of a push, and how the branch moves."""

from tests.sentences.sentence import Branch, Inversion, Sentence

GATE = "autoswe.rules.feedback.push_gate"
PUSH = "autoswe.steps.feedback.push_fix"
STATES = "autoswe.github.pull_states"
STANDING = "autoswe.steps.feedback.standing"

GATE_TESTS = "tests/rules/feedback/test_push_gate.py"
PUSH_TESTS = "tests/steps/feedback/test_push_fix.py"
TARGET_TESTS = "tests/steps/feedback/test_push_target.py"
RECORDED_HEAD = f"{GATE_TESTS}::test_what_is_not_the_recorded_head_any_more_is_not_pushed_to"
FORBIDDEN_BRANCHES = f"{GATE_TESTS}::test_default_protected_listed_and_moved_branches_are_never_pushed_to"
NOT_PLAIN = f"{GATE_TESTS}::test_a_change_that_is_not_plainly_regular_files_from_the_head_is_refused"

SENTENCES = (
    Sentence(
        "5.1",
        (
            Branch(PUSH, "push_fix", "fire is None"),
            Branch(
                PUSH,
                "_Push._judge_moment",
                "self.ports.rounds.held(self.decision, self.request.execution, LEASE_SECONDS) is None",
            ),
        ),
        (
            f"{PUSH_TESTS}::test_an_execution_that_lost_the_pull_request_touches_nothing",
            f"{PUSH_TESTS}::test_a_slot_that_is_taken_after_the_commit_was_recorded_stops_the_push",
        ),
    ),
    Sentence(
        "5.2",
        (Branch(PUSH, "_Push.make", "self.request.machine != self.ports.machine"),),
        (f"{PUSH_TESTS}::test_only_the_built_in_workflow_may_push",),
    ),
    Sentence(
        "5.3",
        (Branch(PUSH, "_Push._settings", "settings.is_on(KILL_SWITCH)"),),
        (
            "tests/steps/feedback/test_kill_switch.py::test_a_fix_that_was_made_before_is_not_pushed_and_the_host_is_not_asked",
        ),
    ),
    Sentence(
        "5.4",
        (
            Branch(PUSH, "_Push.make", "results.gates_failed"),
            Branch("autoswe.steps.feedback.fixer_results", "read_results", "gate.status not in HARMLESS_GATES"),
        ),
        (f"{PUSH_TESTS}::test_one_gate_that_says_no_is_enough",),
    ),
    Sentence("5.5", (Branch(GATE, "judge_pull_request", "not pull.is_open"),), (RECORDED_HEAD,)),
    Sentence(
        "5.6",
        (Branch(GATE, "judge_pull_request", "pull.head_repository_id != pull.repository_id"),),
        (RECORDED_HEAD,),
    ),
    Sentence("5.7", (Branch(GATE, "judge_pull_request", "pull.head_ref != recorded_ref"),), (RECORDED_HEAD,)),
    Sentence(
        "5.8",
        (
            Branch(GATE, "judge_pull_request", "pull.head_sha != recorded_sha"),
            Branch(GATE, "judge_branch", "branch.tip != recorded_sha"),
        ),
        (RECORDED_HEAD, FORBIDDEN_BRANCHES),
    ),
    Sentence("5.9", (Branch(GATE, "judge_branch", "repository.archived"),), (FORBIDDEN_BRANCHES,)),
    Sentence("5.10", (Branch(GATE, "judge_branch", "name == repository.default_branch"),), (FORBIDDEN_BRANCHES,)),
    Sentence(
        "5.11",
        (
            Branch(GATE, "judge_branch", "branch.protected"),
            Branch(GATE, "judge_branch", "set(branch.rule_types) <= kept"),
            *(
                Branch(GATE, "SATISFIED_RULES", f"'{rule}'", Inversion.LEFT_OUT)
                for rule in (
                    "creation",
                    "deletion",
                    "non_fast_forward",
                    "required_linear_history",
                    "copilot_code_review",
                )
            ),
        ),
        (
            FORBIDDEN_BRANCHES,
            f"{GATE_TESTS}::test_rules_that_our_commit_keeps_do_not_protect_a_branch",
            f"{GATE_TESTS}::test_one_rule_that_our_commit_may_not_keep_or_that_is_not_known_protects_a_branch",
            f"{TARGET_TESTS}::test_rules_that_our_commit_keeps_stop_neither_the_round_nor_the_push",
        ),
    ),
    Sentence(
        "5.28",
        (
            Branch(GATE, "judge_branch", "repository.signs_commits"),
            Branch(STATES, "PullStates.pull_state", "_ENTERPRISE_VERSION not in headers"),
        ),
        (
            f"{GATE_TESTS}::test_a_branch_that_demands_signatures_is_open_where_the_host_signs_what_we_commit",
            "tests/adapters/github/test_pull_states.py::test_an_enterprise_server_which_names_its_version_signs_no_commits",
        ),
    ),
    Sentence(
        "5.29",
        (
            Branch(PUSH, "_Push._judge_moment", "demands_signature(state.branch)"),
            Branch(PUSH, "_Push._judge_moment", "self.host.is_signed(commit)"),
        ),
        (
            f"{TARGET_TESTS}::test_a_commit_that_the_host_did_not_sign_is_not_pushed_where_signatures_are_demanded",
            f"{TARGET_TESTS}::test_where_no_signature_is_demanded_nobody_asks_for_one",
        ),
    ),
    Sentence(
        "5.30",
        (
            Branch(STATES, "_Head.branch", "self.ref_update_rule is not None"),
            Branch(STATES, "_Head.branch", "self.rules.page_info.has_next_page"),
        ),
        (
            "tests/adapters/github/test_pull_states.py"
            "::test_a_classic_protection_is_known_by_what_anybody_may_see_of_it",
            "tests/adapters/github/test_pull_states.py::test_what_is_not_told_whole_is_partial_and_never_no_protection",
        ),
    ),
    Sentence(
        "5.12",
        (
            Branch(GATE, "judge_branch", "any((fnmatchcase(name, pattern) for pattern in never_push))"),
            Branch(GATE, "never_pushed", "*recorded", Inversion.LEFT_OUT),
        ),
        (
            FORBIDDEN_BRANCHES,
            f"{GATE_TESTS}::test_the_branches_of_the_record_and_of_the_setting_are_listed_together",
        ),
    ),
    Sentence(
        "5.13",
        (Branch(GATE, "judge_change", "len(changed) > MAX_PATHS"),),
        (f"{GATE_TESTS}::test_exactly_two_hundred_paths_are_allowed", NOT_PLAIN),
    ),
    Sentence(
        "5.14",
        (
            Branch(GATE, "judge_path", "find_path_fault(path)"),
            Branch(GATE, "judge_path", "_CONTROL.search(path)"),
        ),
        (
            f"{GATE_TESTS}::test_a_path_that_leaves_the_tree_or_hides_where_it_leads_is_refused",
            f"{GATE_TESTS}::test_an_ordinary_path_is_allowed",
        ),
    ),
    Sentence(
        "5.15",
        (
            Branch(GATE, "judge_path", "is_protected_path(path)"),
            Branch(
                "autoswe.rules.text.suggestions",
                "is_protected_path",
                "'/'.join(segments[:2]) in PROTECTED_DIRECTORIES",
            ),
        ),
        (f"{GATE_TESTS}::test_workflows_and_actions_are_never_touched_in_any_letter_case",),
    ),
    Sentence(
        "5.16",
        (
            Branch(GATE, "_judge_file", "file.mode not in REGULAR_MODES"),
            Branch(GATE, "_judge_file", "entry is not None and entry.mode not in REGULAR_MODES"),
        ),
        (NOT_PLAIN,),
    ),
    Sentence(
        "5.17",
        (Branch(GATE, "_judge_file", "file.before != (entry.sha if entry else None)"),),
        (NOT_PLAIN,),
    ),
    Sentence(
        "5.18",
        (
            Branch(GATE, "judge_created_tree", "actual == expected"),
            Branch(GATE, "judge_created_tree", "head.truncated or created.truncated"),
        ),
        (
            f"{GATE_TESTS}::test_the_created_tree_must_be_the_head_plus_exactly_the_change",
            f"{GATE_TESTS}::test_a_truncated_created_tree_is_never_taken_for_the_whole",
        ),
    ),
    Sentence(
        "5.19",
        (
            Branch(PUSH, "_Push._judge_secrets", "find_secrets(added_lines(before.get(path) or b'', content))"),
            Branch(GATE, "added_lines", "line not in known"),
        ),
        (
            f"{PUSH_TESTS}::test_a_secret_in_an_added_line_is_refused_before_anything_is_made",
            f"{PUSH_TESTS}::test_a_secret_that_the_file_held_already_does_not_block",
        ),
    ),
    Sentence(
        "5.20",
        (
            Branch(GATE, "judge_opener", "trigger is TriggerKind.COMMAND"),
            Branch(GATE, "judge_opener", "others_allowed"),
            Branch(GATE, "judge_opener", "opened_by_platform"),
        ),
        (
            f"{GATE_TESTS}"
            "::test_to_a_pull_request_of_others_only_the_command_may_push_and_only_where_the_settings_allow_it",
            f"{GATE_TESTS}::test_to_a_pull_request_that_the_platform_opened_any_trigger_may_push",
        ),
    ),
    Sentence(
        "5.21",
        (
            Branch(
                PUSH,
                "_Push._record",
                "recorded is None",
            ),
        ),
        (
            f"{PUSH_TESTS}::test_the_commit_is_recorded_before_the_branch_moves",
            f"{PUSH_TESTS}::test_an_execution_that_loses_the_pull_request_while_it_works_does_not_push",
        ),
    ),
    Sentence(
        "5.22",
        (
            Branch(PUSH, "_Push._move", "tip is not None and (not self._work_branch_is_ours())"),
            Branch(
                PUSH,
                "_Push._move",
                "self.ports.rounds.intend(self.decision, self._work_branch_write())",
                Inversion.LEFT_OUT,
            ),
        ),
        (
            f"{PUSH_TESTS}::test_a_work_branch_that_somebody_else_made_is_left_alone",
            f"{PUSH_TESTS}::test_the_work_branch_is_intended_before_it_is_made_and_gone_afterwards",
        ),
    ),
    Sentence(
        "5.23",
        (Branch(PUSH, "_Push.make", "self._judge_moment(gathered.head_sha, commit)", Inversion.LEFT_OUT),),
        (f"{PUSH_TESTS}::test_what_changes_while_the_commit_is_made_still_stops_the_push",),
    ),
    Sentence(
        "5.24",
        (
            Branch("autoswe.github.git.commits", "MovableRefs.move_ref", "'beforeOid'", Inversion.LEFT_OUT),
            Branch("autoswe.github.git.commits", "MovableRefs.move_ref", "self.ref(name) != before"),
        ),
        (
            "tests/adapters/github/git/test_commits.py::test_a_ref_moves_by_comparison_and_never_by_force",
            "tests/adapters/github/git/test_commits.py"
            "::TestHostsWithoutUpdateRefs::test_the_tip_is_compared_before_it_goes_forward",
        ),
    ),
    Sentence(
        "5.25",
        (
            Branch(PUSH, "_Push.found", "self._stands(commit)"),
            Branch(STANDING, "stands", "host.ref(f'heads/{ref}') == commit"),
            Branch(STANDING, "stands", "host.pull(pull_number).head_sha == commit"),
            Branch(STANDING, "stands", "host.branch_holds(ref, commit)"),
        ),
        (
            f"{PUSH_TESTS}::test_a_branch_or_pull_request_at_the_recorded_commit_is_our_push_whatever_else_is_said",
            f"{PUSH_TESTS}::test_a_push_that_nothing_shows_yet_is_neither_denied_nor_made_again",
            f"{PUSH_TESTS}::test_a_lost_reply_to_the_push_is_found_by_the_retry",
            f"{PUSH_TESTS}::test_a_push_whose_reply_was_lost_is_found_under_a_commit_that_came_on_top",
            f"{PUSH_TESTS}::test_a_death_at_any_call_followed_by_a_retry_leaves_one_commit",
        ),
    ),
    Sentence(
        "5.26",
        (
            Branch(PUSH, "_Push.refuse", "self.drop_work_branch()", Inversion.LEFT_OUT),
            Branch(PUSH, "_Push._settle", "self.drop_work_branch()", Inversion.LEFT_OUT),
        ),
        (
            f"{PUSH_TESTS}::test_the_work_branch_is_intended_before_it_is_made_and_gone_afterwards",
            f"{PUSH_TESTS}::test_one_gate_that_says_no_is_enough",
        ),
    ),
    Sentence(
        "5.27",
        (
            Branch("autoswe.steps.feedback.respond", "_headline", "push.reason != PushRefusal.FIXER_LEFT_NOTHING"),
            Branch("autoswe.steps.feedback.close_round", "_outcome", "push.outcome is PushOutcome.REFUSED"),
        ),
        (
            "tests/steps/feedback/test_respond.py"
            "::test_refusals_failures_and_visible_skips_are_told_in_generic_words_and_answer_no_thread",
            "tests/steps/feedback/test_close_round.py::test_the_outcome_follows_from_what_the_steps_answered",
        ),
    ),
    Sentence(
        "5.31",
        (
            Branch(PUSH, "_Push._texts", "len(shas) > 1"),
            Branch("autoswe.github.git.commits", "_inline", "len(content) > MOST_INLINE_BYTES"),
        ),
        (
            "tests/steps/feedback/test_push_calls.py"
            "::test_what_stood_in_many_files_is_read_many_at_a_time_and_their_texts_need_no_call_of_their_own",
            "tests/adapters/github/git/test_commits.py::test_a_tree_carries_its_texts_as_they_are_and_deletes_by_null",
        ),
    ),
)
