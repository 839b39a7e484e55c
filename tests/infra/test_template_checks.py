"""The template passes the checks that others wrote, and the checks do find something where there is something."""

import json
import subprocess
import sys
from pathlib import Path

import aws_cdk as cdk
import cdk_nag
import pytest
from aws_cdk import aws_sqs

from infra.cloud.acknowledgements import accept
from tests.infra.template import SNAPSHOT, normalised, synthesise

pytestmark = pytest.mark.xdist_group("template")


def test_the_aws_solutions_checks_have_no_finding_that_is_not_accepted() -> None:
    """Synthesis fails on a finding; the report says that the checks did run."""
    report = json.loads((synthesise().folder / "validation-report.json").read_text())
    assert "AwsSolutions" in json.dumps(report["pluginReports"])


def test_a_finding_fails_the_synthesis_unless_it_is_accepted_where_it_arises(tmp_path: Path) -> None:
    def synthesise_queue(folder: Path, *accepted: str) -> None:
        app = cdk.App(outdir=str(folder), analytics_reporting=False)
        queue = aws_sqs.Queue(cdk.Stack(app, "queue"), "Queue", enforce_ssl=True)
        for finding in accepted:
            accept(queue, finding, "a test")
        cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
        app.synth()

    with pytest.raises(RuntimeError, match="Validation failed"):
        synthesise_queue(tmp_path / "open")
    synthesise_queue(tmp_path / "accepted", "AwsSolutions-SQS3")


def test_cfn_lint_has_nothing_to_say() -> None:
    """W3005 speaks of dependencies that CDK itself writes twice."""
    template = synthesise().folder / "autoswe.template.json"
    linted = subprocess.run(
        [str(Path(sys.executable).with_name("cfn-lint")), "--ignore-checks", "W3005", "--", str(template)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (linted.returncode, linted.stdout) == (0, "")


def test_the_infrastructure_is_what_it_was_when_it_was_last_looked_at() -> None:
    """After a change that is wanted: python -m tests.infra.template, and look at what differs."""
    assert normalised(synthesise().body) == SNAPSHOT.read_text()
