"""§7 and §10.3: the session, what it is given and what it leaves."""

from tests.sentences.sentence import Branch, Inversion, Sentence

PACKET = "autoswe.tasks.review.packet"
CLIS = "autoswe.tasks.review.clis"
PROMPT = "autoswe.rules.review.verdict.review_prompt"
REVIEWER = "autoswe.tasks.review.reviewer"
MODEL_REVIEWER = "autoswe.tasks.review.model_reviewer"
LOGS = "autoswe.tasks.review.session_logs"
USAGE = "autoswe.rules.agents.usage"
COPILOT = "autoswe.tasks.agent_clis.copilot"

PACKET_TESTS = "tests/tasks/review/test_packet.py"
CLI_TESTS = "tests/tasks/review/test_clis.py"
IMAGE_TESTS = "tests/tasks/review/test_image.py"
CONTAINER_TESTS = "tests/tasks/review/test_container.py"
REVIEWER_TESTS = "tests/tasks/review/test_reviewer.py"
LOG_TESTS = "tests/tasks/review/test_session_logs.py"
PROMPT_TESTS = "tests/rules/review/verdict/test_review_prompt.py"
USAGE_TESTS = "tests/rules/agents/test_usage.py"
SHELL_ALONE = f"{CLI_TESTS}::test_copilot_gets_shell_tools_alone_and_in_them_the_programs_that_read"
ASKS_NOBODY = f"{CLI_TESTS}::test_copilot_asks_nobody_takes_no_instructions_and_brings_no_servers_and_no_updates"
WITHHELD = f"{PACKET_TESTS}::test_prose_that_reads_like_instructions_is_withheld_and_named_by_its_place"
TARGET_TOLD = f"{PROMPT_TESTS}::test_the_prompt_names_repository_number_head_mode_tiers_and_both_paths"
MODE_TOLD = f"{PROMPT_TESTS}::test_mode_and_tiers_are_the_runs"
NO_CREDENTIAL_IN_LOGS = f"{LOG_TESTS}::test_a_credential_is_in_no_part"
NO_NUMBER = f"{USAGE_TESTS}::test_a_number_that_is_none_or_beyond_all_bounds_is_left_out"
NUMBERS = f"{USAGE_TESTS}::test_the_bounds_themselves_are_allowed"


def told(key: str) -> Branch:
    """Name a value that the prompt is handed."""
    return Branch(PROMPT, "compose_review_prompt", key)


SENTENCES = (
    Sentence(
        "7.1.3",
        (Branch(REVIEWER, "review", "pull.head_sha != manifest.head_sha"),),
        (f"{REVIEWER_TESTS}::test_a_packet_of_another_head_is_not_reviewed_and_leaves_nothing",),
    ),
    Sentence(
        "7.1.4",
        (
            told("target.repository"),
            told("target.number"),
            told("dry_run"),
            told("', '.join(sorted(approve_tiers)) or 'none'"),
        ),
        (TARGET_TOLD, MODE_TOLD),
    ),
    Sentence(
        "7.1.5",
        (),
        (
            f"{IMAGE_TESTS}::test_packages_and_programs_are_installed_as_the_fixers_are",
            f"{IMAGE_TESTS}::test_every_package_is_locked_by_hash_and_to_the_version_that_the_tests_run_with",
        ),
        by_shape="The image's Dockerfile installs by lock files alone, when it is built.",
    ),
    Sentence(
        "7.1.6",
        (
            Branch(PACKET, "screen_prose", "WITHHELD if isinstance(verdict, Refused) else str(verdict)"),
            Branch(PACKET, "screen_prose", "pull.title", Inversion.LEFT_OUT),
            Branch(PACKET, "screen_prose", "pull.body", Inversion.LEFT_OUT),
            Branch(PACKET, "screen_prose", "*pull.labels", Inversion.LEFT_OUT),
            Branch(PACKET, "screen_prose", "*(commit.message for commit in pull.commits)", Inversion.LEFT_OUT),
            Branch(PROMPT, "compose_review_prompt", "withheld"),
        ),
        (
            WITHHELD,
            f"{PACKET_TESTS}::test_the_change_itself_is_shown_whatever_it_says",
            f"{PROMPT_TESTS}::test_texts_that_were_withheld_are_named_and_count_as_attempts",
        ),
    ),
    Sentence(
        "7.1.7",
        (
            Branch(PACKET, "lay_out", "set_aside(checkout.root)"),
            Branch(PROMPT, "compose_review_prompt", "mark=mark", Inversion.LEFT_OUT),
        ),
        (
            f"{PACKET_TESTS}"
            "::test_files_that_configure_agents_bear_the_mark_in_the_checkout_and_all_others_their_names",
            f"{PROMPT_TESTS}::test_the_ending_of_files_that_configure_agents_is_told",
        ),
    ),
    Sentence(
        "7.2.1",
        (
            Branch(
                CLIS, "launch_copilot", "'--available-tools=bash,list_bash,read_bash,stop_bash'", Inversion.LEFT_OUT
            ),
            Branch(CLIS, "launch_copilot", "f'--allow-tool={_shell(_READING_COMMANDS)}'", Inversion.LEFT_OUT),
            Branch(CLIS, "launch_copilot", "f\"--deny-tool=write,{_shell(('gh', 'git'))}\"", Inversion.LEFT_OUT),
            *(
                Branch(CLIS, "_READING_COMMANDS", f"'{program}'", Inversion.LEFT_OUT)
                for program in ("cat", "jq", "grep", "head", "tail", "wc", "ls")
            ),
        ),
        (SHELL_ALONE,),
    ),
    Sentence(
        "7.2.2",
        tuple(
            Branch(COPILOT, "start", f"'{flag}'", Inversion.LEFT_OUT)
            for flag in ("--no-ask-user", "--no-custom-instructions", "--disable-builtin-mcps", "--no-auto-update")
        ),
        (ASKS_NOBODY,),
    ),
    Sentence(
        "7.2.3",
        (Branch(MODEL_REVIEWER, "ask_model", "refusal is not None"),),
        (f"{REVIEWER_TESTS}::test_a_program_without_a_credential_of_its_kind_is_not_started",),
    ),
    Sentence(
        "7.3.1",
        (Branch(PROMPT, "compose_review_prompt", "_TIERS", Inversion.LEFT_OUT),),
        (
            f"{PROMPT_TESTS}::test_every_tier_is_explained",
            f"{PROMPT_TESTS}::test_low_risk_asks_for_a_review_under_each_head",
        ),
    ),
    Sentence(
        "7.3.2",
        (
            Branch(
                PROMPT,
                "compose_review_prompt",
                "_TASK.format(head_sha=target.head_sha, mark=mark, **files)",
                Inversion.LEFT_OUT,
            ),
        ),
        (f"{PROMPT_TESTS}::test_text_of_the_pull_request_is_called_data_and_the_diff_what_is_judged",),
    ),
    Sentence(
        "7.3.3",
        (
            Branch(PROMPT, "compose_review_prompt", "answer", Inversion.LEFT_OUT),
            Branch(PROMPT, "compose_review_prompt", "summary=MAX_SUMMARY_CHARACTERS", Inversion.LEFT_OUT),
            Branch(PROMPT, "_example", "Tier.NEEDS_HUMAN"),
        ),
        (
            f"{PROMPT_TESTS}::test_the_answer_is_shown_as_a_block_that_can_be_filled_in",
            f"{PROMPT_TESTS}::test_every_area_every_bound_and_the_summarys_reader_are_told",
        ),
    ),
    Sentence(
        "7.4.1",
        (
            Branch(REVIEWER, "review", "answer.message is None"),
            Branch(
                REVIEWER,
                "_ask",
                "transfer.upload(manifest.prompt, prompt.encode(), 'the prompt')",
                Inversion.LEFT_OUT,
            ),
            Branch(
                REVIEWER,
                "_ask",
                "transfer.upload(manifest.logs, answer.logs.encode(errors='replace'), \"the session's logs\")",
                Inversion.LEFT_OUT,
            ),
        ),
        (
            f"{REVIEWER_TESTS}::test_a_session_that_fails_leaves_prompt_logs_and_usage_and_no_summary",
            f"{CONTAINER_TESTS}::test_a_session_that_takes_too_long_still_leaves_what_it_said_and_cost",
        ),
    ),
    Sentence(
        "7.4.2",
        (),
        (f"{CONTAINER_TESTS}::test_a_verdict_that_a_file_of_the_repository_forges_is_in_no_summary",),
        by_shape="An answer's message is the reply that the program's own form of output names as its last; "
        "everything else goes into the logs, which nothing reads.",
    ),
    Sentence(
        "7.4.3",
        (),
        (f"{CONTAINER_TESTS}::test_a_session_that_ran_before_replaces_nothing",),
        by_shape="A signed address is good for an object that does not exist yet.",
    ),
    Sentence(
        "7.4.4",
        (Branch(LOGS, "write_logs", "session.hide_credentials(content)"),),
        (
            NO_CREDENTIAL_IN_LOGS,
            f"{LOG_TESTS}::test_logs_begin_with_how_the_session_ended_and_hold_outputs_transcript_and_log_files",
        ),
    ),
    Sentence(
        "10.3.2",
        (
            Branch(USAGE, "_bounded", "0 <= value <= largest"),
            Branch(USAGE, "_bounded", "isinstance(value, bool)"),
            Branch(USAGE, "_bounded", "isinstance(value, int | float)"),
            Branch(USAGE, "read_usage", "isinstance(parsed, Malformed)"),
        ),
        (
            NO_NUMBER,
            NUMBERS,
            f"{USAGE_TESTS}::test_premium_requests_and_seconds_are_read",
            f"{USAGE_TESTS}::test_a_file_that_is_missing_or_malformed_says_nothing",
        ),
    ),
)
