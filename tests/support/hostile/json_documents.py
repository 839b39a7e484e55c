"""JSON documents as somebody who means harm would write them: kept ones, changed in one or two places."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

Place = tuple[str | int, ...]

DEEP = 50_000

FRAGMENTS: tuple[bytes, ...] = (
    b"null", b"true", b"false", b"0", b"-1", b"1.5", b"1e999", b"-0", b"01", b"NaN", b"-Infinity",
    b"9" * 19, b"9" * 400, b"-" + b"9" * 5000, b"1" * 100_000, b"0." + b"3" * 10_000,
    b'""', b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\\u202e/../"', b'"\xed\xa0\x80"', b'"\xff"',
    b'"\n"', b'"', b'"' + b"x" * 100_000 + b'"', b'"' + b"\\u0001" * 3000 + b'"',
    b"[]", b"{}", b"[[], {}, null, 0]", b'{"": {"": ""}}', b'{"id": 1, "id": null}', b'{"__proto__": 1}',
    b"[" * 150 + b"]" * 150, b'{"a":' * 150 + b"1" + b"}" * 150,
    b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP, b"[" * DEEP,
    b"[" + b"0," * 30_000 + b"0]", b"[" + b"{}," * 30_000 + b"{}]",
    b"{" + b",".join(b'"%d":0' % number for number in range(30_000)) + b"}",
    b"/* no */ 1", b"'1'", b"",
)  # fmt: skip
"""What may stand in the place of a value, as bytes: much of it is no JSON."""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
"""Any value that Python writes as JSON, ``NaN`` and lone surrogates among them."""


def places(document: Any, above: Place = ()) -> Iterator[Place]:
    """Name every place of a document that holds a value, those in the outer objects first."""
    members = list(document.items() if isinstance(document, dict) else enumerate(document))
    yield from (((*above, name)) for name, _ in members)
    for name, value in members:
        if isinstance(value, dict | list):
            yield from places(value, (*above, name))


def replaced(document: Any, place: Place, fragment: bytes) -> bytes:
    """Write the document with ``fragment`` in the place of a value."""
    return _write(document, place, lambda _: fragment)


def doubled(document: Any, place: Place, fragment: bytes) -> bytes:
    """Write the document with a member twice, or with a further value in a list: first the value, then ``fragment``."""
    name = json.dumps(place[-1]).encode() + b":" if isinstance(place[-1], str) else b""
    return _write(document, place, lambda value: value + b"," + name + fragment)


def removed(document: Any, place: Place) -> bytes:
    """Write the document without a value."""
    copy = deepcopy(document)
    del _holder(copy, place)[place[-1]]
    return json.dumps(copy).encode()


@st.composite
def mutations(draw: st.DrawFn, documents: Sequence[Any]) -> bytes:
    """Draw one of the documents with one place changed, and sometimes a few bytes besides.

    The outer places are drawn as often as all of them: they decide more.
    """
    document = draw(st.sampled_from(documents))
    everywhere = list(places(document))
    outer = [place for place in everywhere if len(place) <= 2]
    place = draw(st.sampled_from(outer) | st.sampled_from(everywhere))
    change = draw(st.sampled_from(["replace", "replace", "double", "remove"]))
    if change == "remove":
        written = removed(document, place)
    else:
        fragment = draw(st.sampled_from(FRAGMENTS) | json_values.map(lambda value: json.dumps(value).encode()))
        written = (replaced if change == "replace" else doubled)(document, place, fragment)
    return draw(damaged(written)) if draw(st.integers(0, 4)) == 0 else written


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw the content with a few bytes overwritten, put in, taken out, or cut off."""
    harmed = bytearray(content)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(harmed)))
        end = min(len(harmed), start + draw(st.integers(0, 4)))
        harmed[start:end] = draw(st.binary(max_size=4))
    return bytes(harmed[: draw(st.integers(0, len(harmed)))] if draw(st.integers(0, 4)) == 0 else harmed)


def _holder(document: Any, place: Place) -> Any:
    for name in place[:-1]:
        document = document[name]
    return document


def _write(document: Any, place: Place, spell: Any) -> bytes:
    mark = "a mark that no document holds"
    copy = deepcopy(document)
    holder = _holder(copy, place)
    value, holder[place[-1]] = json.dumps(holder[place[-1]]).encode(), mark
    return json.dumps(copy).encode().replace(json.dumps(mark).encode(), spell(value))
