"""Makes the hosts that steps ask for, each with a token of its own."""

import time
from collections.abc import Callable, Collection, Sequence
from functools import cache, partial

import httpx

from autoswe.contracts.records.platform import Connection
from autoswe.github.checks.ci_readings import CiReadings
from autoswe.github.checks.evidence import FailureEvidence
from autoswe.github.discussions.comments import Comments
from autoswe.github.discussions.people import People
from autoswe.github.discussions.texts import Texts
from autoswe.github.discussions.threads import Threads
from autoswe.github.git.branches import Refs
from autoswe.github.git.commits import MovableRefs, NewObjects
from autoswe.github.git.source import Archives, BlobTexts, Objects
from autoswe.github.intake.hook_deliveries import HookDeliveries
from autoswe.github.pull_states import PullStates
from autoswe.github.pulls import Pulls
from autoswe.github.review.approvals import Approvals, LivePulls
from autoswe.github.review.changes import ChangedContent
from autoswe.github.review.details import Details
from autoswe.github.review.scan import Scan
from autoswe.github.transport.api import Api
from autoswe.github.transport.app_identity import AppIdentity
from autoswe.github.transport.credentials import app_credential
from autoswe.github.transport.http import Credential, OnCall, Transport
from autoswe.github.transport.installation import Installation
from autoswe.github.transport.retry_budget import RetryBudget
from autoswe.github.transport.tokens import StepToken
from autoswe.ports.clock import Clock


class HeadGitHub(Pulls):
    """What is asked of GitHub before a trigger on somebody else's pull request is decided on; reads only."""


class GatherGitHub(PullStates, Pulls, Texts, People, Threads, Objects, BlobTexts, Archives, Refs):
    """What gather_feedback asks GitHub; reads only."""


class PushGitHub(PullStates, Pulls, Objects, BlobTexts, NewObjects, MovableRefs):
    """What push_fix asks and tells GitHub; may write contents."""


class CheckGitHub(CiReadings):
    """What poll_ci asks GitHub; reads only."""


class EvidenceGitHub(FailureEvidence):
    """What is asked of GitHub about failed CI; reads only."""


class ReportGitHub(Comments):
    """What respond asks and tells GitHub; may write comments."""


class ScanGitHub(Scan, Details, ChangedContent):
    """What select_pulls asks GitHub about a whole installation; reads only."""


class RereadGitHub(LivePulls):
    """What apply_review asks GitHub before it approves; reads only."""


class ApproveGitHub(Approvals):
    """What apply_review asks and tells GitHub when it approves; may write reviews."""


class ReviewSourceGitHub(Objects, BlobTexts, Archives):
    """What prepare_review asks GitHub; reads only."""


class GitHub:
    """Opens hosts on one connection; each lives as long as one step and mints its token when it first asks."""

    def __init__(
        self,
        connection: Connection,
        private_key: Callable[[], str],
        *,
        client: httpx.Client,
        now: Clock,
        sleep: Callable[[float], None] = time.sleep,
        on_call: OnCall = lambda _name, _status: None,
    ) -> None:
        """``private_key`` returns the App's key as PEM; ``client`` comes from ``open_client`` and outlives the steps.

        ``sleep`` waits between repeated reads; ``on_call`` is told of every request sent.
        """
        self._connection = connection
        self._private_key = private_key
        self._client = client
        self._now = now
        self._sleep = sleep
        self._on_call = on_call

    def head_host(self, repository: str | int) -> HeadGitHub:
        """Open the host of resolve_intake on a repository, named in full or by its number."""
        return HeadGitHub(self._api("resolve_intake", repository))

    def gather_host(self, repository: str | int) -> GatherGitHub:
        """Open the host of gather_feedback on a repository, named in full or by its number."""
        return GatherGitHub(self._api("gather_feedback", repository))

    def push_host(self, repository: str | int) -> PushGitHub:
        """Open the host of push_fix on a repository, named in full or by its number."""
        return PushGitHub(self._api("push_fix", repository))

    def check_host(self, repository: str | int) -> CheckGitHub:
        """Open the host of poll_ci on a repository, named in full or by its number."""
        return CheckGitHub(self._api("poll_ci", repository))

    def evidence_host(self, repository: str | int) -> EvidenceGitHub:
        """Open the host that tells gather_feedback of failed CI on a repository, named in full or by its number."""
        return EvidenceGitHub(self._api("gather_feedback, of CI", repository))

    def report_host(self, repository: str | int) -> ReportGitHub:
        """Open the host of respond on a repository, named in full or by its number."""
        return ReportGitHub(self._api("respond", repository))

    def scan_host(self, names: Sequence[str] = ()) -> ScanGitHub:
        """Open the host of select_pulls on repositories named without their owner, on all of them when none is."""
        transport = self._transport()
        token = StepToken(transport, self._connection, self._private_key, self._now, "select_pulls", names)
        return ScanGitHub(Installation(transport, self._connection, token), self._identity())

    def reread_host(self, our_bots: Collection[int] = ()) -> RereadGitHub:
        """Open the host of apply_review that reads, with a token for each repository that it is asked about.

        ``our_bots`` are the accounts of our other Apps, whose pull requests are ours, too.
        """
        return RereadGitHub(cache(partial(self._api, "apply_review")), self._connection.bot_id, our_bots)

    def approve_host(self) -> ApproveGitHub:
        """Open the host of apply_review that approves, with a token for each repository that it is told of."""
        open_repository = cache(partial(self._api, "apply_review, to approve"))
        return ApproveGitHub(open_repository, self._identity(), self._connection.bot_id)

    def review_source_host(self, repository: str) -> ReviewSourceGitHub:
        """Open the host of prepare_review on a repository, named in full."""
        return ReviewSourceGitHub(self._api("prepare_review", repository))

    def hook_deliveries(self) -> HookDeliveries:
        """Open what sweep_deliveries asks the App about its own webhook; no token is minted."""
        return HookDeliveries(self._transport(), self._connection, self._as_the_app)

    def _identity(self) -> AppIdentity:
        return AppIdentity(self._transport(), self._connection, self._as_the_app)

    def _as_the_app(self) -> Credential:
        return app_credential(self._connection.app_id, self._private_key(), self._now())

    def _api(self, function: str, repository: str | int) -> Api:
        transport = self._transport()
        named = [repository] if isinstance(repository, str) else repository
        token = StepToken(transport, self._connection, self._private_key, self._now, function, named)
        name = token.repository if isinstance(repository, int) else repository
        return Api(transport, self._connection, name, token)

    def _transport(self) -> Transport:
        return Transport(self._client, RetryBudget(self._sleep), self._now, self._on_call)
