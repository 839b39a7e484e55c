"""YAML is read the one way in which all readers agree, and the rest is refused (review §8.2)."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.diff.yaml_tree import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, Unreadable, read_yaml, scalars

TREES = st.recursive(
    st.text(st.characters(codec="ascii", categories=("L", "N", "P")), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=4),
)


@given(TREES, st.booleans())
def test_what_a_writer_wrote_is_read_back(tree: object, flow: bool) -> None:
    assert read_yaml(yaml.safe_dump(tree, default_flow_style=flow)) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("on: push", {"on": "push"}),
        ("on: {push: , 'pull_request': {}}", {"on": {"push": "", "pull_request": {}}}),
        ("a: 1\nb: true\nc: ~", {"a": "1", "b": "true", "c": "~"}),
        ("a: &x [1]\nb: *x", {"a": ["1"], "b": ["1"]}),
        ('a: "\\x73ecret"', {"a": "secret"}),
        ("a: >-\n  b\n  c", {"a": "b c"}),
        ("? a\n: b", {"a": "b"}),
        ("", ""),
        ("a: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
    ],
)
def test_every_scalar_is_text_in_every_spelling(text: str, tree: object) -> None:
    assert read_yaml(text) == tree


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2",
        "a: {b: 1, b: 2}",
        "x: &m {a: 1}\ny:\n  <<: *m",
        "a: !!str b",
        "a: !x b",
        "a: 1\n---\nb: 2",
        "a: &x [*x]",
        "a: *x",
        "[a]: b",
        "a: [",
        "a: b\rc: d",
        "a: b\u2028c: d",
        "a: b\x85c: d",
        "a: \0",
        "a: \ud800",
    ],
)
def test_what_readers_understand_differently_is_unreadable(text: str) -> None:
    assert isinstance(read_yaml(text), Unreadable)


@pytest.mark.parametrize(
    "text",
    [
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "- " * 50_000 + "x",
        "[" * 100_000,
        "a: &a [1,1,1,1,1,1,1,1,1]\n"
        + "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9)),
        "#" * (MAX_CHARACTERS + 1),
        "[" + ",".join("1" * (MAX_NODES + 1)) + "]",
    ],
    ids=["deep", "deep dashes", "deep brackets", "aliases of aliases", "long", "many"],
)
def test_what_would_take_much_is_refused(text: str) -> None:
    assert isinstance(read_yaml(text), Unreadable)


def test_the_bounds_themselves_are_allowed() -> None:
    for text in ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "#" * MAX_CHARACTERS, f"[{','.join('1' * (MAX_NODES - 1))}]"):
        assert not isinstance(read_yaml(text), Unreadable)


def test_every_key_and_scalar_is_given() -> None:
    tree = read_yaml("a: [b, {c: d}]")
    assert not isinstance(tree, Unreadable)
    assert sorted(scalars(tree)) == ["a", "b", "c", "d"]
