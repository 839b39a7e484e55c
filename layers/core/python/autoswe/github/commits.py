"""Makes git objects and moves refs (Git database; Mutations: updateRefs)."""

import base64
from collections.abc import Sequence
from typing import Literal

from pydantic import TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.branches import Refs
from autoswe.github.graphql import Unsupported
from autoswe.github.resource import Resource
from autoswe.github.shape import GraphqlShape, Shape
from autoswe.ports import NewEntry, Refused, Unavailable

_ENTRY_TYPES = {"040000": "tree", "160000": "commit"}


class _Made(Shape):
    sha: Sha


class _MadeCommit(_Made):
    tree: _Made
    parents: list[_Made]


class _MadeRef(Shape):
    ref: str


class _Moved(GraphqlShape):
    typename: Literal["UpdateRefsPayload"]
