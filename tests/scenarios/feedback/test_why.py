"""``autoswe why`` tells an operator what happened on a pull request (architecture §4)."""

import re

from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from infra.local.assembly import LocalAssembly
from tests.scenarios.story import Story


def why(story: Story, *arguments: str) -> Result:
    pull = f"{story.repository.full_name}#{story.pull.number}"
    return CliRunner().invoke(assemble([]), ["why", pull, "--connection", story.site.connection, *arguments])


def test_a_round_with_a_late_command_is_told_in_order_and_without_anybodys_text(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")

    def late(_: float) -> None:
        if len(story.waits) == 1:
            story.pull.comment(story.reviewer, "/auto-swe fix")

    story.on_wait(late)
    story.request_changes()
    story.finish()
    told = why(story)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    times = [line.split("  ")[0] for line in lines]
    assert times == sorted(times)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in times)
    stages = ["was decided for", "A round began", "The branch moved to", "came while a round held", "succeeded."]
    found = [next(at for at, line in enumerate(lines) if stage in line) for stage in stages]
    assert found == sorted(found)
    assert sum("was announced" in line for line in lines) == 4
    assert "added" not in told.stdout


def test_a_skip_is_told_with_its_reason(assembly: LocalAssembly, story: Story) -> None:
    story.request_changes(deliver=False)
    story.pull.close()
    [review] = [
        one
        for one in assembly.host.deliveries
        if one.payload.get("review") and one.payload["repository"]["full_name"] == story.repository.full_name
    ]
    assembly.host.deliver(review)
    story.finish()
    assert "The round was skipped: the pull request was closed." in why(story).stdout


def test_a_pull_request_without_records_and_a_name_that_is_none_are_said_in_one_sentence(story: Story) -> None:
    unknown = why(story)
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "nothing is on record of" in unknown.stderr
    wrong = CliRunner().invoke(assemble([]), ["why", "nothing"])
    assert (wrong.exit_code, wrong.stderr) == (2, "'nothing' names no pull request: it must be OWNER/REPO#NUMBER\n")
