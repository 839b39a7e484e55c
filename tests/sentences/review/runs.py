"""§9.2, §11 and §12: who starts a run, which run has an organisation, and what a replay goes on with."""

from tests.sentences.sentence import Branch, Inversion, Sentence

PREFLIGHT = "autoswe.steps.review.preflight"
RUN = "autoswe.steps.review.review_run"
SELECT = "autoswe.steps.review.select_pulls"
LEASE = "autoswe.rules.review.run.lease"
NAMING = "autoswe.rules.review.run.naming"

PREFLIGHT_TESTS = "tests/steps/review/test_preflight.py"
SELECT_TESTS = "tests/steps/review/test_select_pulls.py"
PREPARE_TESTS = "tests/steps/review/test_prepare_review.py"
LEASE_TESTS = "tests/rules/review/run/test_lease.py"
WORKFLOW_TESTS = "tests/infra/embedded_aws/test_scheduled_review_workflow.py"
BEGINS = f"{PREFLIGHT_TESTS}::test_a_run_that_may_begin_gets_its_facts_and_its_inputs_are_kept_typed"
BY_SCHEDULE = f"{PREFLIGHT_TESTS}::test_a_schedules_run_is_dry_until_one_setting_says_otherwise"
BY_PERSON = f"{PREFLIGHT_TESTS}::test_a_persons_run_is_as_the_person_says_and_dry_unless_they_say_live"
WAITS = f"{PREFLIGHT_TESTS}::test_a_second_live_run_waits_and_a_third_replaces_it"
DRY = f"{PREFLIGHT_TESTS}::test_dry_runs_neither_wait_nor_block"
REPLAY = f"{PREFLIGHT_TESTS}::test_a_replay_keeps_the_namespace_and_raises_the_attempt"
WITHOUT_LEASE = f"{SELECT_TESTS}::TestGoingOn::test_a_live_run_without_its_lease_selects_nothing"
OVERTAKEN = f"{SELECT_TESTS}::TestGoingOn::test_an_execution_that_was_overtaken_selects_nothing"

SENTENCES = (
    Sentence(
        "7.2.5",
        (Branch(PREFLIGHT, "type_inputs", "inputs.max_runtime_minutes <= LONGEST_SESSION_MINUTES"),),
        (
            f"{PREFLIGHT_TESTS}::test_a_session_that_would_outlive_its_signed_addresses_is_refused",
            f"{PREPARE_TESTS}::test_the_addresses_outlive_the_longest_task",
        ),
    ),
    Sentence(
        "9.1.2",
        (
            Branch(PREFLIGHT, "_inputs", "isinstance(inputs, BadInputs)"),
            Branch(PREFLIGHT, "_inputs", "*(bad.sentence for bad in inputs.found)", Inversion.LEFT_OUT),
        ),
        (
            f"{PREFLIGHT_TESTS}::test_every_bad_input_is_told_in_a_sentence_of_its_own",
            BEGINS,
            "tests/rules/review/run/test_inputs.py::test_every_bad_input_is_told_at_once",
        ),
    ),
    Sentence(
        "9.2.3",
        (Branch(PREFLIGHT, "_preflight", "not settings.is_on(REVIEWS)"),),
        (f"{PREFLIGHT_TESTS}::test_with_the_kill_switch_off_no_run_begins_whoever_asks", BEGINS),
    ),
    Sentence(
        "9.2.4",
        (
            Branch(PREFLIGHT, "_inputs", "state.started_by is StartedBy.SCHEDULE"),
            Branch(PREFLIGHT, "_inputs", "settings.is_on(LIVE_REVIEWS)"),
            Branch(PREFLIGHT, "_inputs", "by_schedule and not is_live"),
        ),
        (BY_SCHEDULE,),
    ),
    Sentence(
        "9.2.5",
        (Branch(PREFLIGHT, "_inputs", "state.started_by is StartedBy.SCHEDULE"),),
        (BY_PERSON,),
    ),
    Sentence(
        "9.3.1",
        (),
        (
            "tests/scenarios/review/test_modes.py"
            "::test_a_live_run_does_what_dry_runs_reported_and_the_next_one_has_new_heads_alone_to_do",
        ),
        by_shape="The local assembly names `rules` as its reviewer, and keeps no credential of a model.",
    ),
    Sentence(
        "11.2",
        (
            Branch(RUN, "keep_lease", "leases.held(run.org, run.execution, LEASE_SECONDS)"),
            Branch(SELECT, "select_pulls", "keep_lease(run, ports.leases)", Inversion.LEFT_OUT),
            Branch(
                "autoswe.steps.review.prepare_review",
                "prepare_review",
                "keep_lease(run, ports.leases)",
                Inversion.LEFT_OUT,
            ),
            Branch(
                "autoswe.steps.review.apply_review",
                "_Applying._approve",
                "self.ports.leases.held(self.run.org, self.run.execution, LEASE_SECONDS)",
            ),
        ),
        (
            WITHOUT_LEASE,
            f"{PREPARE_TESTS}::test_an_execution_that_was_overtaken_or_lost_its_lease_prepares_nothing",
            "tests/steps/review/test_apply_review.py"
            "::TestFailing::test_a_switch_turned_off_or_a_lease_lost_meanwhile_stops_the_approval",
        ),
    ),
    Sentence(
        "11.3",
        (
            Branch(LEASE, "ask", "lease.newest.since > claim.since"),
            Branch(LEASE, "ask", "not lease.is_free(now)"),
            Branch(LEASE, "ask", "lease.holder == claim.execution"),
            Branch(PREFLIGHT, "_take_lease", "answer is LeaseAnswer.WAIT"),
            Branch(PREFLIGHT, "_take_lease", "answer is LeaseAnswer.REPLACED"),
        ),
        (
            WAITS,
            f"{LEASE_TESTS}::test_one_later_run_waits_and_a_still_later_one_takes_its_place",
            f"{WORKFLOW_TESTS}::test_a_run_that_has_to_wait_asks_again_after_the_seconds_it_was_told",
        ),
    ),
    Sentence(
        "11.4",
        (Branch(LEASE, "Lease.is_free", "self.until < now"),),
        (
            f"{LEASE_TESTS}::test_a_lease_that_was_not_renewed_is_taken_once_it_is_over_and_no_sooner",
            f"{LEASE_TESTS}::test_only_the_holder_renews_and_releases",
        ),
    ),
    Sentence(
        "11.5",
        (
            Branch(PREFLIGHT, "_preflight", "not run.dry_run"),
            Branch(RUN, "keep_lease", "not run.dry_run"),
        ),
        (DRY, WAITS, f"{SELECT_TESTS}::TestKeeping::test_a_live_run_keeps_both_sides_and_a_dry_run_reads_none"),
    ),
    Sentence(
        "11.6",
        (),
        (
            f"{WORKFLOW_TESTS}::test_an_entrys_failure_costs_that_entry_alone_and_is_named",
            BEGINS,
        ),
        by_shape="The workflow's Map takes its bound from what preflight found.",
    ),
    Sentence(
        "12.2",
        (
            Branch(PREFLIGHT, "_run", "known.attempt + 1"),
            Branch(PREFLIGHT, "_run", "request.state.replay_of or request.execution"),
            Branch(NAMING, "_of_attempt", "f'{REVIEWS}/{kept}/{namespace}/entries/{entry}/{attempt}/{name}'"),
        ),
        (
            REPLAY,
            f"{PREPARE_TESTS}::test_a_replay_leaves_its_session_beside_the_one_before",
            "tests/rules/review/run/test_naming.py::test_no_two_entries_or_attempts_share_a_key",
        ),
    ),
    Sentence(
        "12.4",
        (Branch(PREFLIGHT, "_run", "asked != (known.connection, known.org.casefold(), known.dry_run)"),),
        (
            f"{PREFLIGHT_TESTS}::test_a_replay_of_another_organisation_or_mode_is_refused",
            f"{PREFLIGHT_TESTS}::test_a_replay_of_nothing_is_refused",
            REPLAY,
        ),
    ),
    Sentence(
        "12.5",
        (
            Branch(SELECT, "select_pulls", "run.selected is not None"),
            Branch(SELECT, "_still_to_do", "_is_settled(run, entry.key, artifacts)"),
            Branch(SELECT, "_is_settled", "result.verdict is not Verdict.FAILED"),
        ),
        (
            f"{SELECT_TESTS}::TestGoingOn::test_a_replay_leaves_out_what_is_settled_and_reviews_what_failed",
            f"{SELECT_TESTS}::TestGoingOn::test_a_retry_after_a_lost_answer_goes_on_with_what_was_selected",
        ),
    ),
    Sentence(
        "12.6",
        (
            Branch(RUN, "read_run", "run.execution != execution"),
            Branch("autoswe.steps.review.report_run", "report_run", "run.execution != request.execution"),
        ),
        (
            OVERTAKEN,
            f"{PREPARE_TESTS}::test_an_execution_that_was_overtaken_or_lost_its_lease_prepares_nothing",
            "tests/steps/review/test_apply_review.py::TestFailing::test_an_execution_that_was_overtaken_applies_nothing",
            "tests/steps/review/test_report_run.py::TestEnding::test_an_execution_that_was_overtaken_ends_nothing",
        ),
    ),
)
