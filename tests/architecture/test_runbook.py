"""The runbook names whatever a scheduled review can end with."""

from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Contended
from autoswe.ports.artifacts import ArtifactRefused
from autoswe.ports.github import HostError
from autoswe.rules.review.run.preflight import PreflightCheck
from autoswe.rules.settings.registry import LIVE_REVIEWS, REVIEWS
from autoswe.runtime.review.wiring import ExclusionsUnreadable
from autoswe.runtime.wiring import AgentNotNamed
from autoswe.runtime.workflow import AwsCallFailed
from autoswe.steps.review.report_run import INTERRUPTED
from autoswe.steps.review.review_run import LeaseLost, PreflightRefused, RunSuperseded
from infra.local.assembly import ROOT

RUNBOOK = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
ERRORS = {
    *HostError.__subclasses__(),
    *(PreflightRefused, LeaseLost, RunSuperseded, Contended, AwsCallFailed),
    *(ArtifactRefused, MalformedRow, AgentNotNamed, ExclusionsUnreadable),
}


def test_every_check_of_preflight_and_every_error_of_a_step_is_explained() -> None:
    named = {*PreflightCheck, *(error.__name__ for error in ERRORS), INTERRUPTED}
    assert {name for name in named if f"`{name}`" not in RUNBOOK} == set()


def test_the_switches_are_those_that_exist() -> None:
    for setting in (REVIEWS, LIVE_REVIEWS):
        assert f"autoswe settings set {setting.name} off --by you" in RUNBOOK
