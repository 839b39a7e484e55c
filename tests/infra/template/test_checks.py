"""The template passes the checks that others wrote, and the checks do find something where there is something."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import SNAPSHOT, normalised, synthesise
from tests.support.workflow_files import every_state


def test_a_finding_of_the_aws_solutions_checks_fails_the_synthesis(tmp_path: Path) -> None:
    """So the template that all other tests read, which was synthesised, has none that was not accepted."""
    from aws_cdk import aws_sqs

    from infra.cloud.app import build_app, read_context

    app = build_app(read_context() | {"aws:cdk:bundling-stacks": []}, str(tmp_path))
    aws_sqs.Queue(cast("Any", app.node.find_child("autoswe")), "QueueWithoutAnotherForDeadLetters")
    with pytest.raises(RuntimeError, match=r"AwsSolutions-SQS3"):
        app.synth()


def outputs_of_succeed_states() -> set[str]:
    """Spell what cfn-lint says of each OutputPath of a Succeed state, which its schema does not know.

    The Amazon States Language lets every state but Fail have one.
    """
    states = (one for path in (REPOSITORY / "infra" / "workflows").glob("*.asl.json") for one in every_state(path))
    return {
        f"Additional properties are not allowed ('OutputPath' was unexpected) at 'States/{name}/OutputPath'"
        for name, state in states
        if state["Type"] == "Succeed" and "OutputPath" in state
    }


def test_cfn_lint_has_nothing_to_say() -> None:
    """W3005 speaks of dependencies that CDK itself writes twice."""
    template = synthesise().folder / "autoswe.template.json"
    program = str(Path(sys.executable).with_name("cfn-lint"))
    linted = subprocess.run(
        [program, "--format", "json", "--ignore-checks", "W3005", "--", str(template)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.stderr == ""
    assert {finding["Message"] for finding in json.loads(linted.stdout)} <= outputs_of_succeed_states()


def test_the_infrastructure_is_what_it_was_when_it_was_last_looked_at() -> None:
    """After a change that is wanted: python -m tests.infra.template.built, and look at what differs."""
    assert normalised(synthesise().body) == SNAPSHOT.read_text()
