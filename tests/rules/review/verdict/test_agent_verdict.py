"""A verdict is the last fenced json block, and nothing that has another shape or target (review §8.2)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.verdict.agent_verdict import AgentVerdict, Area, Finding, NoVerdict, Target, read_verdict
from autoswe.rules.review.verdict.tiers import Tier
from tests.support.hostile.json_documents import FRAGMENTS, mutations

HEAD = "0123456789abcdef0123456789abcdef01234567"
TARGET = Target("acme/widgets", 157, HEAD)
WRITTEN: dict[str, Any] = {
    "schema": 1,
    "repository": "acme/widgets",
    "pull_request": 157,
    "head_sha": HEAD,
    "tier": "low-risk",
    "summary": "Moves the build to a pinned action.",
    "findings": [{"area": "ci", "note": "The cache key stays."}],
    "injection_attempts": ["A comment asks for an approval."],
}
READ = AgentVerdict(
    Tier.LOW_RISK,
    "Moves the build to a pinned action.",
    (Finding(Area.CI, "The cache key stays."),),
    ("A comment asks for an approval.",),
)


def fenced(document: object, opening: str = "```json", closing: str = "```") -> str:
    return f"{opening}\n{document if isinstance(document, str) else json.dumps(document)}\n{closing}\n"


def reason(summary: str) -> str:
    verdict = read_verdict(summary, TARGET)
    assert isinstance(verdict, NoVerdict)
    return verdict.reason


@pytest.mark.parametrize(
    "summary",
    [
        fenced(WRITTEN),
        "I looked.\n\n" + fenced(WRITTEN) + "\nThat is all.",
        fenced({"schema": 2}) + fenced(WRITTEN),
        fenced(WRITTEN) + "```text\nnot json\n```\n",
        fenced(WRITTEN, "~~~~JSON", "~~~~~"),
        fenced(WRITTEN, "   ```json verdict", "  ```  "),
        fenced(WRITTEN).replace("\n", "\r\n"),
        "````text\n```json\n{}\n```\n````\n" + fenced(WRITTEN),
        fenced(json.dumps(WRITTEN, indent=2)),
    ],
)
def test_the_last_fenced_json_block_is_the_verdict(summary: str) -> None:
    assert read_verdict(summary, TARGET) == READ


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ("", "holds no fenced json block"),
        (json.dumps(WRITTEN), "holds no fenced json block"),
        (fenced(WRITTEN, "```"), "holds no fenced json block"),
        (fenced(WRITTEN, "    ```json"), "inside a fence"),
        (fenced(WRITTEN, closing=""), "inside a fence"),
        (fenced(WRITTEN) + "```text\n", "inside a fence"),
        (fenced(WRITTEN, "````json", "```"), "inside a fence"),
        (fenced(WRITTEN, "```json", "~~~"), "inside a fence"),
        (fenced(WRITTEN) + fenced("{}"), "lacks"),
        ("````text\n" + fenced(WRITTEN) + "````\n", "holds no fenced json block"),
        (fenced("[]"), "no JSON object"),
        (fenced("{"), "verdict is refused"),
        (fenced('{"a": 1, "a": 1}'), "is given twice"),
        (fenced('{"a": NaN}'), "no finite number"),
        (fenced('{"a": ' + "9" * 400 + "}"), "too large"),
        (fenced('{"a": "\\ud800"}'), "half a surrogate pair"),
        (fenced("[" * 5000), "verdict is refused"),
        (fenced('"' + "x" * 300_000 + '"'), "larger than"),
    ],
)
def test_a_summary_without_a_readable_block_has_no_verdict(summary: str, words: str) -> None:
    assert words in reason(summary)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 2}, "schema"),
        ({"schema": True}, "schema"),
        ({"schema": 1.0}, "schema"),
        ({"repository": "acme/other"}, "names another repository"),
        ({"repository": "ACME/widgets"}, "names another repository"),
        ({"pull_request": 158}, "names another pull request"),
        ({"pull_request": "157"}, "names another pull request"),
        ({"head_sha": HEAD[::-1]}, "names another head"),
        ({"head_sha": HEAD[:12]}, "names another head"),
        ({"tier": "safe"}, "tier is none of trivial, low-risk, needs-human"),
        ({"tier": ["trivial"]}, "tier is none of"),
        ({"summary": 7}, "summary holds what is no text"),
        ({"summary": " \n "}, "empty summary"),
        ({"findings": {}}, "findings is no list"),
        ({"findings": [{"area": "ci"}]}, "pair of area and note"),
        ({"findings": [{"area": "ci", "note": "a", "more": 1}]}, "pair of area and note"),
        ({"findings": [{"area": "style", "note": "a"}]}, "area is none of"),
        ({"findings": [{"area": "ci", "note": None}]}, "findings holds what is no text"),
        ({"injection_attempts": "none"}, "injection_attempts is no list"),
        ({"injection_attempts": [1]}, "injection_attempts holds what is no text"),
        ({"extra": 1}, "unknown keys"),
    ],
)
def test_a_verdict_of_another_shape_or_target_is_refused(change: dict[str, Any], words: str) -> None:
    assert words in reason(fenced(WRITTEN | change))


@pytest.mark.parametrize("key", WRITTEN)
def test_every_key_must_be_there(key: str) -> None:
    assert key in reason(fenced({name: value for name, value in WRITTEN.items() if name != key}))


def test_what_is_too_long_or_too_much_is_cut() -> None:
    verdict = read_verdict(
        fenced(
            WRITTEN
            | {
                "summary": "x" * 700,
                "findings": [{"area": "other", "note": "y" * 500}] * 30,
                "injection_attempts": ["z" * 500] * 30,
            }
        ),
        TARGET,
    )
    assert isinstance(verdict, AgentVerdict)
    assert verdict.summary == "x" * 600
    assert verdict.findings == (Finding(Area.OTHER, "y" * 400),) * 20
    assert verdict.injection_attempts == ("z" * 400,) * 20


@given(mutations([WRITTEN]))
def test_a_hostile_verdict_is_read_whole_or_refused_in_one_line(document: bytes) -> None:
    verdict = read_verdict(fenced(document.decode(errors="replace")), TARGET)
    if isinstance(verdict, NoVerdict):
        assert 0 < len(verdict.reason) <= 500
        assert verdict.reason.isprintable()
    else:
        assert len(verdict.summary) <= 600
        assert verdict.summary.isprintable()


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=range(len(FRAGMENTS)))
def test_no_fragment_is_a_verdict(fragment: bytes) -> None:
    assert reason(fenced(fragment.decode(errors="replace")))


@given(
    st.lists(st.sampled_from(["```", "```json", "````", "~~~", "~~~json", "{}", "text", "", "    ```"]), max_size=20)
)
def test_fences_are_followed_to_the_end_whatever_they_hold(lines: list[str]) -> None:
    assert reason("\n".join(lines))
