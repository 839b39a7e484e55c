"""The functions of a scheduled review, and the role whose sessions sign the reviewer's addresses."""

from constructs import Construct

from infra.cloud.constructs.function import Ground, ProductFunction, Size
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.signer import open_signer
from infra.cloud.constructs.state import State
from infra.cloud.names import EVIDENCE, REPORTS, RESULTS, SESSIONS, SecretKind
from infra.cloud.review_settings import ReviewSettings

_MINUTE = 60


class ReviewFunctions(Construct):
    """Checks first, selects, prepares, approves and reports: one function for each, none with another's rights.

    They can read the key of the review App alone, and of no other connection's.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        ground: Ground,
        state: State,
        rights: Rights,
        review: ReviewSettings,
    ) -> None:
        super().__init__(scope, construct_id)
        stored = {"AUTOSWE_TABLE": state.table.table_name, "AUTOSWE_BUCKET": state.bucket.bucket_name}
        secrets = {"AUTOSWE_SECRETS_PREFIX": ground.names.secrets_prefix}
        reviewer = {"AUTOSWE_REVIEWER": review.reviewer}
        private_key = rights.read_secret(SecretKind.REVIEW_PRIVATE_KEY, review.connection)
        credential = rights.read_secret(SecretKind.MODEL_CREDENTIAL, review.connection)

        self.preflight = ProductFunction(
            self,
            "preflight",
            ground=ground,
            size=Size(seconds=_MINUTE),
            environment=stored | secrets | reviewer,
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("LOCK", "RUNREVIEW"), "PutItem", "UpdateItem"),
                rights.write_artifacts(EVIDENCE),
                private_key,
                *([credential] if review.asks_a_model else []),
            ],
        )
        self.select_pulls = ProductFunction(
            self,
            "select_pulls",
            ground=ground,
            size=Size(seconds=15 * _MINUTE, memory=2048),
            environment=stored | secrets | {"AUTOSWE_REVIEW_EXCLUSIONS": ",".join(review.exclusions)},
            rights=[
                rights.read_rows("GetItem", "Query"),
                rights.write_rows(("LOCK", "RUNREVIEW"), "PutItem", "UpdateItem"),
                rights.read_versions(EVIDENCE),
                rights.read_latest(RESULTS),
                rights.write_artifacts(EVIDENCE),
                private_key,
            ],
        )
        self.prepare_review = ProductFunction(
            self,
            "prepare_review",
            ground=ground,
            size=Size(seconds=5 * _MINUTE, memory=1024, storage=2048),
            environment=stored | secrets | reviewer,
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("LOCK",), "UpdateItem"),
                rights.read_versions(EVIDENCE),
                rights.write_artifacts(EVIDENCE),
                private_key,
            ],
        )
        self.apply_review = ProductFunction(
            self,
            "apply_review",
            ground=ground,
            size=Size(seconds=5 * _MINUTE, memory=1024),
            environment=stored | secrets,
            rights=[
                rights.read_rows("GetItem", "BatchGetItem", "Query"),
                rights.write_rows(("APPROVAL", "LOCK"), "PutItem", "UpdateItem"),
                rights.read_versions(EVIDENCE),
                rights.read_latest(SESSIONS),
                rights.write_artifacts(RESULTS),
                private_key,
            ],
        )
        self.report_run = ProductFunction(
            self,
            "report_run",
            ground=ground,
            size=Size(seconds=5 * _MINUTE, memory=1024),
            environment=stored,
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("ASSESSED", "LOCK", "RUNREVIEW"), "PutItem", "UpdateItem"),
                rights.read_versions(EVIDENCE),
                rights.read_latest(RESULTS),
                rights.read_latest(REPORTS),
                rights.write_artifacts(RESULTS),
                rights.write_artifacts(REPORTS),
            ],
        )
        self.functions = (
            self.preflight,
            self.select_pulls,
            self.prepare_review,
            self.apply_review,
            self.report_run,
        )
        self.signer = open_signer(
            self, self.prepare_review, [rights.read_versions(EVIDENCE), rights.create_artifacts(SESSIONS)]
        )
