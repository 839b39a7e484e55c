"""``autoswe review`` judges files by the rules that a run follows, without any account (review §5, §8.2)."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from tests.support.places import ROOT

GOLDEN = ROOT / "tests" / "contracts" / "review" / "golden"


VERDICT = (GOLDEN / "verdict.json").read_text()
SUMMARY = f"It is a typo.\n\n```json\n{VERDICT}```\n"


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_bytes())


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(assemble([]), ["review", *map(str, arguments)])


def printed(*arguments: str | Path) -> list[str]:
    """The lines that a command prints that must succeed."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def refused(*arguments: str | Path) -> str:
    """The sentence of a command that must refuse."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A recorded run of one selected pull request and three that were left out."""
    for name in ("selection", "candidates"):
        (tmp_path / f"{name}.json").write_text(json.dumps(golden(name)))
    return tmp_path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that ended with the golden verdict."""
    summary = tmp_path / "session-summary.md"
    summary.write_text(SUMMARY)
    return summary


def test_a_pull_request_that_nothing_catches_is_explained_as_selected() -> None:
    assert printed("explain", "--state", GOLDEN / "state.json") == ["selected"]


def test_a_pull_request_is_explained_by_its_first_reason(tmp_path: Path) -> None:
    state = golden("state")
    state["candidate"]["state"] |= {"is_draft": True, "rollup": "FAILURE"}
    (tmp_path / "state.json").write_text(json.dumps(state))
    assert printed("explain", "--state", tmp_path / "state.json") == ["draft"]


def test_what_the_ledger_of_a_state_file_holds_counts(tmp_path: Path) -> None:
    state = golden("state")
    state["policy"]["ledger"] = golden("ledger")["entries"]
    (tmp_path / "state.json").write_text(json.dumps(state))
    assert printed("explain", "--state", tmp_path / "state.json") == ["already_assessed"]


def test_a_state_file_that_is_not_there_or_not_sound_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    assert "cannot be read: No such file" in refused("explain", "--state", file)
    file.write_text('{"schema": 1, "schema": 1}')
    assert "state.json is refused: schema: is given twice" in refused("explain", "--state", file)


def test_a_recorded_run_that_today_would_be_the_same_has_no_difference(recorded: Path) -> None:
    assert printed("simulate", "--run", recorded) == ["nothing would differ"]


def test_a_recorded_run_is_told_with_what_would_be_selected_differently(recorded: Path) -> None:
    candidates = golden("candidates")
    candidates["candidates"][0]["state"]["rollup"] = "FAILURE"
    candidates["candidates"][2]["author"] = {"typename": "User", "login": "pat"}
    (recorded / "candidates.json").write_text(json.dumps(candidates))
    assert printed("simulate", "--run", recorded) == [
        "example-org/tool#157: was selected; now ci_failing",
        "example-org/tool#6: was bot_author; now more would have to be read",
    ]


def test_the_sessions_of_a_recorded_run_are_judged_again(recorded: Path) -> None:
    entry = recorded / "entries" / "tool-157"
    entry.mkdir(parents=True)
    (entry / "session-summary.md").write_text(SUMMARY)
    (entry / "check.json").write_text(json.dumps(golden("check")))
    assert printed("simulate", "--run", recorded) == [
        "tool-157: was needs-human, not approvable: trivial claim not corroborated: .github/workflows/ci.yaml; "
        "now trivial, approvable"
    ]


def test_an_entry_whose_session_left_nothing_needs_a_person_again(recorded: Path) -> None:
    entry = recorded / "entries" / "tool-157"
    entry.mkdir(parents=True)
    missing = {"agent_tier": None, "reasons": ["session summary is missing"]}
    (entry / "check.json").write_text(json.dumps(golden("check") | missing))
    assert printed("simulate", "--run", recorded) == ["nothing would differ"]


def test_a_recorded_run_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "selection.json cannot be read" in refused("simulate", "--run", tmp_path)


def test_a_session_is_judged_by_what_it_left_and_by_the_diff(session: Path) -> None:
    judged = json.loads("".join(printed("check", "--entry", GOLDEN / "pull.json", "--summary", session)))
    assert (judged["agent_tier"], judged["tier"], judged["approvable"]) == ("trivial", "trivial", True)
    assert (judged["key"], judged["head_sha"]) == ("tool-157", golden("pull")["head_sha"])
    assert (judged["premium_requests"], judged["agent_seconds"]) == (None, None)


def test_nothing_that_is_printed_can_steer_a_terminal(session: Path, tmp_path: Path) -> None:
    title = "\x1b[2J\x9b2J\u202e"
    (tmp_path / "pull.json").write_text(json.dumps(golden("pull") | {"title": title}))
    lines = printed("check", "--entry", tmp_path / "pull.json", "--summary", session)
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert json.loads("".join(lines))["title"] == title


def test_a_claim_that_the_diff_does_not_bear_out_needs_a_person(session: Path, tmp_path: Path) -> None:
    pull = golden("pull")
    pull["files"][0] |= {"path": "run.sh"}
    (tmp_path / "pull.json").write_text(json.dumps(pull))
    judged = json.loads("".join(printed("check", "--entry", tmp_path / "pull.json", "--summary", session)))
    assert (judged["agent_tier"], judged["tier"], judged["approvable"]) == ("trivial", "needs-human", False)
    assert judged["reasons"] == ["trivial claim not corroborated: run.sh"]
    assert judged["classifier"] == {"trivial": False, "non_trivial_paths": ["run.sh"]}


def test_sides_of_another_head_do_not_count_for_a_live_judgement(session: Path, tmp_path: Path) -> None:
    pull, sides = golden("pull"), golden("files")
    pull["files"][0] |= {"path": ".github/workflows/ci.yaml", "patch": "@@ -1 +1 @@\n-# teh\n+# the"}
    sides["files"][0] |= {
        "path": ".github/workflows/ci.yaml",
        "base": {"mode": "100644", "text": "# teh\n"},
        "head": {"mode": "100644", "text": "# the\n"},
    }
    (tmp_path / "pull.json").write_text(json.dumps(pull))
    vetoes = []
    for head in (sides["head_sha"], "f" * 40):
        (tmp_path / "files.json").write_text(json.dumps(sides | {"head_sha": head}))
        judged = json.loads(
            "".join(
                printed(
                    "check", "--entry", tmp_path / "pull.json", "--summary", session, "--files", tmp_path / "files.json"
                )
            )
        )
        vetoes.append(judged["vetoes"])
    assert not any("was not read" in veto for veto in vetoes[0])
    assert any("was not read" in veto for veto in vetoes[1])


def test_what_the_session_cost_is_told_when_it_says_so(session: Path, tmp_path: Path) -> None:
    usage = tmp_path / "usage.json"
    arguments = ("check", "--entry", GOLDEN / "pull.json", "--summary", session, "--usage", usage)
    for document, told in (
        ('{"totalPremiumRequestCost": 1.5, "totalApiDurationMs": 42000}', (1.5, 42)),
        ('{"totalPremiumRequestCost": NaN, "totalApiDurationMs": -1}', (None, None)),
    ):
        usage.write_text(document)
        judged = json.loads("".join(printed(*arguments)))
        assert (judged["premium_requests"], judged["agent_seconds"]) == told


def test_only_the_tiers_that_are_enabled_are_approvable(session: Path) -> None:
    arguments = ("check", "--entry", GOLDEN / "pull.json", "--summary", session, "--tiers")
    judged = json.loads("".join(printed(*arguments, "none")))
    assert (judged["tier"], judged["approvable"]) == ("trivial", False)
    assert judged["reasons"] == ["tier not enabled for approval"]
    assert "--tiers cannot be 'all'" in refused(*arguments, "all")


def test_a_summary_that_is_no_text_or_too_large_is_as_good_as_missing(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    for content, reason in ((b"\xff", "not UTF-8"), (b" " * (8 * 1024 * 1024 + 1), "larger than 8388608 bytes")):
        summary.write_bytes(content)
        judged = json.loads("".join(printed("check", "--entry", GOLDEN / "pull.json", "--summary", summary)))
        assert (judged["agent_tier"], judged["tier"]) == (None, "needs-human")
        assert reason in judged["reasons"][0]


@pytest.mark.parametrize("option", ["--summary", "--usage", "--files", "--entry"])
def test_a_file_that_was_named_and_is_not_there_is_an_error_and_no_missing_session(
    session: Path, tmp_path: Path, option: str
) -> None:
    given = {"--entry": GOLDEN / "pull.json", "--summary": session, option: tmp_path / "none"}
    assert "cannot be read" in refused("check", *(part for pair in given.items() for part in pair))
