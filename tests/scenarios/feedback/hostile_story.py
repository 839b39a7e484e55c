"""Stories in which the fixer's first container is hostile."""

from dataclasses import replace

from autoswe.contracts.records.platform import GateSettings
from infra.local.assembly import LocalAssembly, fixer_task
from infra.local.embedded_aws.ecs.containers import TaskDefinition
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import SUGGESTION, Story
from tests.support.containers.warm import warm_task


def hostile_task() -> TaskDefinition:
    """Put the hostile agent in the place of the real one; the other containers are the product's own."""
    task = fixer_task()
    agent, *others = task.containers
    hostile = replace(agent, argv=(*agent.argv[:-1], "tests.scenarios.feedback.hostile_agent"))
    return warm_task(replace(task, containers=(hostile, *others)))


def play(assembly: LocalAssembly, behaviour: str, gates: GateSettings | None = None) -> Story:
    story = Story.begin(assembly, gates=gates or GateSettings())
    story.settle_ci("success")
    comments = [InlineComment("total.py", 4, SUGGESTION), InlineComment("total.py", 1, f"behave: {behaviour}")]
    story.pull.review(story.reviewer, "request_changes", "Please.", comments)
    story.finish()
    assert story.slot_is_free()
    assert not story.has_work_branch()
    assert len(story.executions()) == 1
    return story
