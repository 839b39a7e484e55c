"""The samples in ``events/github`` can be posted to the assembly that ``autoswe serve`` keeps up."""

from pathlib import Path
from secrets import token_hex

import pytest
from typer.testing import CliRunner

from autoswe.cli.app import assemble
from infra.local.assembly import LocalAssembly
from infra.local.serve import CONNECTION, install_samples
from tests.support.places import EVENTS

SAMPLES = EVENTS / "github"


def test_delivering_a_sample_command_plays_its_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = token_hex(20)
    monkeypatch.setenv("A_SECRET", secret)
    with LocalAssembly(tmp_path) as assembly:
        site = install_samples(assembly, secret)
        arguments = [str(SAMPLES / "command_in_discussion.json"), "--url", assembly.webhook_url]
        told = CliRunner().invoke(assemble([]), ["deliver", *arguments, "--secret-env", "A_SECRET"])
        assembly.aws.settle()
        assert told.exit_code == 0, told.output
        assert '202 {"outcome": "decided"}' in told.output
        tip = site.repository.tip("auto-swe/perimeter")
        assert b"2 * (a + b)" in site.repository.read(tip, "geometry.py")
        [execution] = assembly.aws.executions()
        assert (execution.status, execution.input["connection"]) == ("SUCCEEDED", CONNECTION)
