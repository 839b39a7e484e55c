"""What a run can be asked to do, and how it says that it cannot (review §9)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.pulls.selection import Policy
from autoswe.rules.review.run.inputs import MODELS, BadInputs, ReviewInputs, read_inputs
from autoswe.rules.review.verdict.tiers import Tier
from tests.support.hostile.json_documents import json_values


def read(**given: object) -> ReviewInputs:
    """Inputs that must be good."""
    inputs = read_inputs({"org": "acme", **given}, has_app=True)
    assert isinstance(inputs, ReviewInputs)
    return inputs


def refused(given: dict[str, object], *, has_app: bool = True) -> list[tuple[str, str]]:
    """Inputs that must be bad: the name and sentence of each."""
    inputs = read_inputs({"org": "acme", **given}, has_app=has_app)
    assert isinstance(inputs, BadInputs)
    return [(bad.name, bad.sentence) for bad in inputs.found]


def test_the_defaults_are_a_dry_scan_of_the_whole_organisation() -> None:
    inputs = read()
    assert inputs.org == "acme"
    assert inputs.dry_run
    assert inputs.model == "claude-opus-5.5"
    assert inputs.approve_tiers == {Tier.TRIVIAL, Tier.LOW_RISK}
    assert not inputs.pull_requests
    assert not inputs.repositories
    assert inputs.exclude_repos is None
    assert (inputs.max_pull_requests, inputs.max_concurrent_agents, inputs.max_runtime_minutes) == (20, 5, 20)
    assert not inputs.reassess
    assert not inputs.skip_agent
    assert inputs.read_scope() == ()


GOOD: tuple[tuple[str, object, object], ...] = (
    ("dry_run", False, False),
    ("reassess", True, True),
    ("skip_agent", True, True),
    ("model", "gpt-6-astra", "gpt-6-astra"),
    ("model", "Claude Fable 5.1", "claude-fable-5.1"),
    ("approve_tiers", "trivial", {Tier.TRIVIAL}),
    ("approve_tiers", "none", frozenset()),
    ("repositories", "one,two, three\nONE", ("one", "two", "three")),
    ("repositories", "b a b", ("b", "a")),
    ("repositories", " , ", ()),
    ("exclude_repos", "one", ("one",)),
    ("exclude_repos", "", None),
    ("max_pull_requests", 0, 0),
    ("max_pull_requests", 256, 256),
    ("max_concurrent_agents", 1, 1),
    ("max_concurrent_agents", 30, 30),
    ("max_runtime_minutes", 1, 1),
    ("max_runtime_minutes", 120, 120),
)


@pytest.mark.parametrize(("name", "value", "meaning"), GOOD)
def test_each_input_takes_what_it_allows_up_to_its_bounds(name: str, value: object, meaning: object) -> None:
    assert getattr(read(**{name: value}), name) == meaning


BAD: tuple[tuple[str, object, str], ...] = (
    ("org", "a/b", "an organisation"),
    ("org", "-acme", "an organisation"),
    ("org", None, "an organisation"),
    ("dry_run", "true", "true or false"),
    ("dry_run", 0, "true or false"),
    ("dry_run", None, "true or false"),
    ("reassess", "no", "true or false"),
    ("skip_agent", 1, "true or false"),
    ("model", "", "lower-case letters"),
    ("model", "Claude", "Claude Opus 5.5"),
    ("model", "-p", "lower-case letters"),
    ("model", "a b", "lower-case letters"),
    ("model", "a\n", "lower-case letters"),
    ("approve_tiers", "low-risk", "trivial,low-risk or trivial or none"),
    ("approve_tiers", "needs-human", "trivial,low-risk or trivial or none"),
    ("approve_tiers", ["trivial"], "trivial,low-risk or trivial or none"),
    ("repositories", "acme/tool", "without their owner"),
    ("repositories", "..", "without their owner"),
    ("repositories", ["tool"], "without their owner"),
    ("exclude_repos", "a b/c", "without their owner"),
    ("max_pull_requests", -1, "from 0 to 256"),
    ("max_pull_requests", 257, "from 0 to 256"),
    ("max_pull_requests", True, "from 0 to 256"),
    ("max_pull_requests", "5", "from 0 to 256"),
    ("max_pull_requests", 5.0, "from 0 to 256"),
    ("max_concurrent_agents", 0, "from 1 to 30"),
    ("max_concurrent_agents", 31, "from 1 to 30"),
    ("max_runtime_minutes", 0, "from 1 to 120"),
    ("max_runtime_minutes", 121, "from 1 to 120"),
    ("pull_requests", 7, "a text"),
    ("pull_requests", "tool", "acme/repo#N"),
    ("pull_requests", "other/tool#7", "pull requests of acme"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "value", "allowed"), BAD)
def test_a_bad_value_is_told_once_with_its_input_the_value_and_what_is_allowed(
    name: str, value: object, allowed: str
) -> None:
    [(told, sentence)] = refused({name: value})
    assert told == name
    assert sentence.startswith(f"{name} cannot be {value!r}: it must be ")
    assert allowed in sentence


def test_an_organisation_must_be_named() -> None:
    inputs = read_inputs({}, has_app=True)
    assert isinstance(inputs, BadInputs)
    assert [bad.name for bad in inputs.found] == ["org"]


def test_every_bad_input_is_told_at_once() -> None:
    told = refused({"model": "?", "max_runtime_minutes": 0, "max_concurrent_agents": 99, "pull_requests": "x y"})
    assert [name for name, _ in told] == [
        "model", "max_concurrent_agents", "max_runtime_minutes", "pull_requests", "pull_requests",
    ]  # fmt: skip


def test_an_input_that_does_not_exist_is_told_with_those_that_do() -> None:
    [(name, sentence)] = refused({"dryrun": False})
    assert name == "'dryrun'"
    assert "dry_run" in sentence


def test_a_live_run_is_refused_where_no_review_app_is_configured() -> None:
    [(name, sentence)] = refused({"dry_run": False}, has_app=False)
    assert name == "dry_run"
    assert "while no review App is configured" in sentence
    assert isinstance(read_inputs({"org": "acme"}, has_app=False), ReviewInputs)


def test_at_most_as_many_pull_requests_are_named_as_a_run_can_hold() -> None:
    names = " ".join(f"tool#{number}" for number in range(1, 258))
    [(name, sentence)] = refused({"pull_requests": names})
    assert name == "pull_requests"
    assert "257 names" in sentence
    assert len(read(pull_requests=names.rsplit(" ", 1)[0]).pull_requests) == 256


def test_the_token_for_reading_is_for_the_named_pull_requests_else_the_named_repositories() -> None:
    assert read(repositories="b a").read_scope() == ("b", "a")
    assert read(pull_requests="tool#1 other#2 Tool#3", repositories="b").read_scope() == ("tool", "other")


def test_the_exclusions_of_a_run_replace_those_of_the_installation() -> None:
    assert read().policy(["Old"]).excluded == {"old"}
    assert read(exclude_repos="New").policy(["Old"]).excluded == {"new"}


def test_what_a_run_selects_by_comes_from_its_inputs() -> None:
    inputs = read(pull_requests="Tool#7", dry_run=False, reassess=True)
    assert inputs.policy([]) == Policy(
        "acme", named=frozenset({("acme/tool", 7)}), dry_run=False, reassess=True
    )  # fmt: skip


def test_the_models_that_are_offered_are_called_as_the_program_calls_them() -> None:
    assert {name: read(model=name).model for name in MODELS} == {
        "Claude Opus 5.5": "claude-opus-5.5",
        "Claude Fable 5.1": "claude-fable-5.1",
        "Claude Sonnet 5.5": "claude-sonnet-5.5",
        "GPT-6 Astra": "gpt-6-astra",
    }


@given(st.dictionaries(st.sampled_from([name for name, _, _ in GOOD]) | st.text(max_size=5), json_values))
def test_whatever_is_given_is_taken_or_told_in_printable_words(given: dict[str, Any]) -> None:
    inputs = read_inputs({"org": "acme", **given}, has_app=True)
    if isinstance(inputs, BadInputs):
        assert inputs.found
        assert all(bad.sentence.isascii() and bad.sentence.isprintable() for bad in inputs.found)
        assert all(len(bad.value) < 100 for bad in inputs.found)
