"""How few calls a large fix takes (feedback §5)."""

from autoswe.contracts.feedback.round import PushOutcome
from autoswe.ports.github import MOST_TEXTS
from autoswe.steps.feedback.push_fix import Ports, push_fix
from tests.support.feedback.fake_host import HEAD
from tests.support.feedback.fakes import MACHINE
from tests.support.feedback.rounds import Stage, changed

FILES = 120
KNOWN = ("token = 'ghp_" + "a1B2" * 9 + "'\n").encode()


def test_what_stood_in_many_files_is_read_many_at_a_time_and_their_texts_need_no_call_of_their_own() -> None:
    """Each file held what looks like a secret before, so each has to be read to see that no line adds one."""
    stage = Stage()
    before = {f"f{number}.py": KNOWN + b"%d\n" % number for number in range(FILES)}
    head = stage.host.trees[stage.host.commits[HEAD]]
    head.update({path: ("100644", content) for path, content in before.items()})
    stage.fixed(*(changed(path, content, content + b"more\n") for path, content in before.items()))
    ports = Ports(stage.records, stage.rounds, stage.artifacts, MACHINE, lambda *_: stage.host)
    assert push_fix(stage.request(), ports).outcome is PushOutcome.PUSHED
    asked = stage.host.asked
    assert asked.count("texts") == -(-FILES // MOST_TEXTS)
    assert "blob" not in asked
    assert asked.count("make_tree") == 1
