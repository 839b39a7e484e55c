"""What is registered of a requirements page: for each sentence the branch that keeps it and the tests that notice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tests.support.places import ROOT

REPOSITORY = ROOT
_PACKAGES = Path("layers/core/python")


class Inversion(StrEnum):
    """How a branch is turned into its opposite.

    ``negated``: the expression gives way to ``not`` of itself. ``left_out``: a statement, an element of a set, list or
    tuple, an argument of a call (a keyword with its value), or an entry of a dictionary (named by its key) is not there
    any more.
    """

    NEGATED = "negated"
    LEFT_OUT = "left_out"


@dataclass(frozen=True)
class Branch:
    """One place in the code where a sentence is decided.

    ``module`` is a dotted name; ``scope`` a function, ``Class.method``, ``Class.field`` or variable of the module;
    ``expression`` occurs in it exactly once, in whatever way it is spelt there; or exactly once as the whole of what an
    ``if`` or ``while`` decides by, or of what a name is given.
    """

    module: str
    scope: str
    expression: str
    inversion: Inversion = Inversion.NEGATED

    @property
    def path(self) -> Path:
        """The module's file, relative to the repository."""
        path = Path(*self.module.split(".")).with_suffix(".py")
        return _PACKAGES / path if path.parts[0] == "autoswe" else path


@dataclass(frozen=True)
class Sentence:
    """A requirement by its id, the branches that keep it, and the tests of which one fails when any is inverted.

    ``tests`` are pytest's names relative to the repository, ``path::function`` or ``path::Class::method``.
    ``by_shape`` says what keeps a requirement that no branch decides, because things have no other shape.
    """

    id: str
    branches: tuple[Branch, ...]
    tests: tuple[str, ...]
    by_shape: str = ""


@dataclass(frozen=True)
class Register:
    """Everything registered of one page; ``pending`` says of requirements that are not built yet what is missing."""

    page: Path
    table: Path
    sentences: tuple[Sentence, ...]
    pending: Mapping[str, str] = field(default_factory=dict)
