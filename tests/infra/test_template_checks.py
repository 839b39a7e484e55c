"""The template passes the checks that others wrote, and the checks do find something where there is something."""

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from tests.infra.template import SNAPSHOT, normalised, synthesise


def test_a_finding_of_the_aws_solutions_checks_fails_the_synthesis(tmp_path: Path) -> None:
    """So the template that all other tests read, which was synthesised, has none that was not accepted."""
    from aws_cdk import aws_sqs

    from infra.cloud.app import build_app, read_context

    app = build_app(read_context() | {"aws:cdk:bundling-stacks": []}, str(tmp_path))
    aws_sqs.Queue(cast("Any", app.node.find_child("autoswe")), "QueueWithoutAnotherForDeadLetters")
    with pytest.raises(RuntimeError, match=r"AwsSolutions-SQS3"):
        app.synth()


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
