"""An operator aborts an execution in the console, wherever it stands (architecture §3).

No ``Catch`` sees that: the rule on failed executions closes the round, and the pull request is open to the next one.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from autoswe.rules.text.markers import read_markers
from infra.local.assembly import WORKFLOWS, LocalAssembly
from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.functions.functions import Hooks, Invocation
from tests.scenarios.story import FIXED, Story
from tests.support.containers.warm import warm_task
from tests.support.feedback.repairing_agent import DOCUMENTED, RepairingAgent, conclude_ci

_STATES = json.loads((WORKFLOWS / "feedback_round.asl.json").read_text())["States"]
LASTING = tuple(name for name, state in _STATES.items() if state["Type"] in {"Task", "Wait"})
"""The states in which an execution spends time, and so can be aborted."""

LAST_VISIT = {
    "Gather feedback": 2,
    "Prepare task": 2,
    "Run fixer": 2,
    "Push fix": 2,
    "Respond": 2,
    "Poll CI": 5,
    "Wait for CI": 3,
}
"""How often a round with a follow-up enters those that it enters more than once; the last time is the follow-up's."""

MOMENTS = (*((name, 1) for name in LASTING), *LAST_VISIT.items())

IN_EACH_TEST_RUN = {
    ("Gather feedback", 1): "the round has claimed nothing yet",
    ("Run fixer", 1): "containers are at work",
    ("Push fix", 2): "a commit was told of, and another one is on its way",
    ("Respond", 1): "a commit is there that nobody was told of",
    ("Close round", 1): "the round gets its outcome all the same",
}
"""The moments after which something different is left to recover; every other one resembles one of these."""


def _moment(state: str, visit: int) -> pytest.ParameterSet:
    if (state, visit) in IN_EACH_TEST_RUN:
        return pytest.param(state, visit)
    reason = "an abort is survived in every state, when a round first and last enters it"
    return pytest.param(state, visit, marks=pytest.mark.soak(reason=reason))


@dataclass
class Abort:
    """Aborts the story's execution while it is in a state for the ``visit``-th time, and notes that it did."""

    story: Story
    state: str
    visit: int
    visits: Counter[str] = field(default_factory=Counter)

    def install(self) -> None:
        """Watch functions, tasks and waits."""
        aws = self.story.assembly.aws
        aws.hooks.before_invoke = self._invoked
        aws.around_calls(self._called)
        self.story.on_wait(self._waited)

    def uninstall(self) -> None:
        """Watch no more."""
        aws = self.story.assembly.aws
        aws.hooks.before_invoke = Hooks().before_invoke
        aws.around_calls(undisturbed)

    @property
    def done(self) -> bool:
        """Whether the moment has come."""
        return self.visits[self.state] >= self.visit

    def _enter(self, state: str) -> None:
        self.visits[state] += 1
        if (state, self.visits[state]) == (self.state, self.visit):
            self.story.assembly.aws.stop(self.story.executions()[-1].arn)

    def _invoked(self, invocation: Invocation) -> None:
        if invocation.state is not None:
            self._enter(invocation.state)

    def _called(self, call: Call, effect: Effect) -> None:
        effect()
        if call.operation == "RunTask":
            self._enter("Run fixer")

    def _waited(self, _seconds: float) -> None:
        self._enter("Wait for CI")
        settle_what_waits(self.story)


def settle_what_waits(story: Story) -> None:
    """Let CI end on a tip of ours: it passes on a commit that is documented, and fails on any other."""
    tip = story.repository.tip("feature")
    if tip != story.head and not story.repository.checks.runs_of(tip, latest=True):
        documented = story.repository.read(tip, "total.py").decode().startswith(DOCUMENTED)
        conclude_ci(story.repository, tip, "success" if documented else "failure")


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    agent = RepairingAgent.install(tmp_path_factory.mktemp("agent"))
    root = tmp_path_factory.mktemp("assembly")
    with LocalAssembly(root, task=warm_task(), agent_command=agent.command) as running:
        yield running


def test_every_state_that_takes_time_is_aborted_when_a_repaired_round_first_and_last_enters_it(story: Story) -> None:
    """A state that is added to the workflow is aborted, too, or this says that its visits are not listed."""
    watch = Abort(story, "nowhere", 1)
    watch.install()
    story.request_changes()
    story.finish()
    watch.uninstall()
    [execution] = story.executions()
    assert execution.status == "SUCCEEDED"
    entered = Counter(name for name in execution.state_names if name in LASTING)
    assert entered == Counter({**dict.fromkeys(LASTING, 1), **LAST_VISIT})
    assert set(MOMENTS) >= set(IN_EACH_TEST_RUN)


@pytest.mark.parametrize(("state", "visit"), [_moment(*moment) for moment in MOMENTS])
def test_an_aborted_round_is_closed_and_the_next_command_starts_one_that_says_nothing_twice(
    story: Story, state: str, visit: int
) -> None:
    abort = Abort(story, state, visit)
    abort.install()
    story.request_changes()
    story.finish()
    abort.uninstall()
    assert abort.done
    [aborted] = story.executions()
    assert aborted.status == "ABORTED"
    [fire] = story.rows("FIRE#")
    pushed = bool(story.commits())
    expected = ("succeeded", None) if pushed else ("failed", "Execution.ABORTED")
    assert (fire["outcome"], fire.get("reason")) == expected
    assert story.slot_is_free()

    story.on_wait(lambda _: settle_what_waits(story))
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    assert [execution.status for execution in story.executions()] == ["ABORTED", "SUCCEEDED"]
    assert sorted(story.fire_outcomes()) == sorted([fire["outcome"], "succeeded"])
    assert story.slot_is_free()
    assert not story.has_work_branch()
    assert story.repository.read("feature", "total.py").decode() in {FIXED, DOCUMENTED + FIXED}
    assert len(story.summaries()) == 1
    markers = Counter(marker for thread in story.replies() for one in thread for marker in read_markers(one.body))
    assert set(markers.values()) == {1}
