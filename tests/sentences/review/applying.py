"""§8, §10 and §12, where steps decide: what is fetched, what is approved, and by which token."""

from tests.sentences.sentence import Branch, Inversion, Sentence

SELECT = "autoswe.steps.review.select_pulls"
APPLY = "autoswe.steps.review.apply_review"
ONCE = "autoswe.steps.review.approve_once"
REPORT = "autoswe.steps.review.report_run"
TOKENS = "autoswe.github.transport.tokens"
ARTIFACTS = "autoswe.s3.artifacts"

SELECT_TESTS = "tests/steps/review/test_select_pulls.py"
PREPARE_TESTS = "tests/steps/review/test_prepare_review.py"
APPLY_TESTS = "tests/steps/review/test_apply_review.py"
REPORT_TESTS = "tests/steps/review/test_report_run.py"
WORKFLOW_TESTS = "tests/infra/embedded_aws/test_scheduled_review_workflow.py"
APPROVAL_TESTS = "tests/adapters/github/review/test_approvals.py"
TOKEN_TESTS = "tests/adapters/github/transport/test_tokens.py"
ARTIFACT_TESTS = "tests/adapters/s3/test_artifacts.py"
EVIDENCE = "tests/steps/review/test_evidence.py::test_selection_and_matrix_are_kept_as_the_references_say"
KEPT_WHOLE = f"{SELECT_TESTS}::TestKeeping::test_a_selected_pull_is_kept_whole_and_by_itself"
TOKEN = f"{SELECT_TESTS}::TestToken::test_a_token_that_is_not_what_it_should_be_is_refused_before_a_pull_is_read"
NO_RESULT = f"{REPORT_TESTS}::test_an_entry_without_a_result_has_failed_at_what_failed_and_is_not_remembered"
GIVEN = f"{PREPARE_TESTS}::test_the_session_is_given_its_entry_the_heads_source_and_what_the_run_asks_for"
APPROVED = f"{APPLY_TESTS}::TestCheck::test_an_accepted_entry_of_a_live_run_is_approved_on_the_reviewed_head"
WOULD_APPROVE = f"{APPLY_TESTS}::TestCheck::test_a_dry_run_would_approve_and_mints_no_token_for_writing"
ENABLED = f"{APPLY_TESTS}::TestCheck::test_only_enabled_tiers_are_approved"
CHANGED = f"{APPLY_TESTS}::TestReread::test_what_changed_meanwhile_needs_a_person"
MISSING = f"{APPLY_TESTS}::TestSession::test_a_missing_session_needs_a_person_and_says_how_it_ended"
NOT_READ = f"{APPLY_TESTS}::TestSession::test_a_session_that_cannot_be_read_needs_a_person"
LOST_REPLY = f"{APPLY_TESTS}::TestOneApproval::test_a_reply_that_was_lost_is_found_and_never_sent_again"
MAY_APPEAR = f"{APPLY_TESTS}::TestOneApproval::test_one_that_may_still_appear_is_waited_for_and_then_sent"
FROM_BEFORE = f"{APPLY_TESTS}::TestOneApproval::test_a_review_of_ours_from_before_is_not_repeated"

SENTENCES = (
    Sentence(
        "8.1.1",
        (
            Branch("autoswe.contracts.review.checking", "_text", "len(summary) > MAX_SUMMARY_BYTES"),
            Branch(APPLY, "_summary", "MAX_SUMMARY_BYTES", Inversion.LEFT_OUT),
            Branch(APPLY, "_usage", "MAX_USAGE_BYTES", Inversion.LEFT_OUT),
        ),
        (
            NOT_READ,
            APPROVED,
            "tests/cli/review/test_commands.py::test_a_summary_that_is_no_text_or_too_large_is_as_good_as_missing",
            f"{APPLY_TESTS}::TestSession::test_what_the_session_cost_is_told_and_nonsense_is_not",
        ),
    ),
    Sentence(
        "8.1.2",
        (
            Branch(
                APPLY,
                "_summary",
                "f'; the session ended with {state.session_error.error}' if state.session_error else ''",
            ),
            Branch("autoswe.rules.review.verdict.check", "check_session", "isinstance(session_summary, Missing)"),
        ),
        (MISSING, NOT_READ),
    ),
    Sentence(
        "8.1.3",
        (),
        (f"{WORKFLOW_TESTS}::test_a_fetch_is_tried_again_for_five_minutes_and_no_longer", NO_RESULT),
        by_shape="The workflow's definition repeats applying; the report writes the failed result where it gave up.",
    ),
    Sentence(
        "8.3.1",
        (
            Branch(APPLY, "_Applying.end", "self.check.approvable"),
            Branch(
                APPLY,
                "_Applying.end",
                "_Ending(Verdict.WOULD_APPROVE) if self.run.dry_run else self._approve(connection, once)",
            ),
        ),
        (APPROVED, WOULD_APPROVE, ENABLED),
    ),
    Sentence(
        "8.3.10",
        (Branch(APPLY, "_Applying.end", "against"), Branch(APPLY, "_Applying._reread", "SENTENCES[reason]")),
        (CHANGED, APPROVED),
    ),
    Sentence(
        "8.3.11",
        (
            Branch(
                APPLY,
                "_Applying.end",
                "_Ending(Verdict.WOULD_APPROVE) if self.run.dry_run else self._approve(connection, once)",
            ),
        ),
        (WOULD_APPROVE, APPROVED),
    ),
    Sentence(
        "8.3.12",
        (
            Branch("autoswe.github.review.approvals", "Approvals.approve", "'commit_id'", Inversion.LEFT_OUT),
            Branch("autoswe.github.review.approvals", "Approvals.approve", "'event'", Inversion.LEFT_OUT),
            Branch(ONCE, "ApproveOnce.write", "self.head.head_sha"),
        ),
        (APPROVED, f"{APPROVAL_TESTS}::test_an_approval_is_pinned_to_the_commit_and_answered_by_its_page"),
    ),
    Sentence(
        "8.3.13",
        (
            Branch(ONCE, "ApproveOnce.find", "review.state == APPROVED"),
            Branch(ONCE, "ApproveOnce.find", "age.total_seconds() < SETTLE_SECONDS"),
            Branch(ONCE, "ApproveOnce.find", "intent.review_url is not None"),
            Branch(
                ONCE, "ApproveOnce.write", "self.approvals.intend(self.head, self.namespace, tier)", Inversion.LEFT_OUT
            ),
        ),
        (
            LOST_REPLY,
            MAY_APPEAR,
            f"{APPLY_TESTS}::TestOneApproval::test_applying_again_tells_the_same_approval",
            f"{APPROVAL_TESTS}::test_an_approval_is_sent_once_whatever_comes_of_it",
        ),
    ),
    Sentence(
        "8.3.14",
        (
            Branch(APPLY, "_Applying._approve", "written.by_host"),
            Branch(REPORT, "_Reporting._what_failed", "left.key == key"),
        ),
        (
            f"{APPLY_TESTS}::TestFailing::test_what_the_host_refuses_has_failed_and_is_looked_at_again",
            f"{APPLY_TESTS}::TestFailing::test_a_host_that_forbids_or_is_gone_leaves_the_failure_to_the_workflow",
            NO_RESULT,
        ),
    ),
    Sentence(
        "8.3.15",
        (
            Branch(ONCE, "ApproveOnce.write", "APPROVED", Inversion.LEFT_OUT),
            Branch(ONCE, "ApproveOnce.write", "DISMISSED", Inversion.LEFT_OUT),
            Branch(ONCE, "ApproveOnce._reviews", "review.commit_id == self.head.head_sha"),
        ),
        (
            FROM_BEFORE,
            f"{APPLY_TESTS}::TestOneApproval::test_our_approval_of_an_earlier_head_stands_in_no_way",
        ),
    ),
    Sentence(
        "8.3.16",
        (Branch(APPLY, "_Applying._approve", "self.ports.records.settings(PLATFORM, REVIEWS).is_on(REVIEWS)"),),
        (f"{APPLY_TESTS}::TestFailing::test_a_switch_turned_off_or_a_lease_lost_meanwhile_stops_the_approval",),
    ),
    Sentence(
        "10.1.1",
        (Branch(TOKENS, "WRITERS", "'apply_review, to approve'", Inversion.LEFT_OUT),),
        (
            f"{TOKEN_TESTS}::test_only_writers_hold_tokens_that_can_write",
            f"{TOKEN_TESTS}::test_a_scan_s_token_is_for_every_repository_of_the_installation_and_can_only_read",
            TOKEN,
        ),
    ),
    Sentence(
        "10.1.2",
        (Branch(TOKENS, "PERMISSIONS", "{'metadata': 'read', 'pull_requests': 'write'}"),),
        (f"{TOKEN_TESTS}::test_rereading_and_approving_take_one_token_for_each_repository",),
    ),
    Sentence(
        "10.3.1",
        (
            Branch(APPLY, "_Applying._approve", "model=self.model", Inversion.LEFT_OUT),
            Branch(SELECT, "_Selecting._keep_selection", "model=inputs.model", Inversion.LEFT_OUT),
        ),
        (APPROVED, KEPT_WHOLE, GIVEN),
    ),
    Sentence(
        "12.3",
        (
            Branch(ARTIFACTS, "VersionedBucket.get", "sha256(content).hexdigest() != reference.sha256"),
            Branch(ARTIFACTS, "VersionedBucket.get", "VersionId=reference.version_id", Inversion.LEFT_OUT),
        ),
        (
            f"{ARTIFACT_TESTS}::test_an_artifact_that_is_not_what_its_reference_says_is_refused",
            f"{ARTIFACT_TESTS}::test_a_reference_reads_its_own_version_whatever_was_stored_later",
            EVIDENCE,
        ),
    ),
)
