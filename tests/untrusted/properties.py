"""Properties that hold for every hostile input: played as tests, and as a campaign."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

Check = Callable[[Any, Any], None]

BOUNDED = settings(derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""The same few inputs in every run."""

PROPERTIES: list["Property"] = []
"""All properties of the modules that were imported."""


@dataclass(frozen=True)
class Property:
    """``check`` holds for every input that ``inputs`` draws; ``place`` makes what it is checked in, once for all."""

    check: Check
    inputs: st.SearchStrategy[Any]
    place: Callable[[], AbstractContextManager[Any]]

    @property
    def name(self) -> str:
        """The requirement in words."""
        return self.check.__name__.removeprefix("test_").replace("_", " ")

    def play(self, profile: settings, chosen_seed: int | None = None) -> None:
        """Check as many inputs as the profile says; raises what the first that fails raises, with the input."""
        with self.place() as place:

            @profile
            @given(self.inputs)
            def holds(hostile: Any) -> None:
                self.check(place, hostile)

            (holds if chosen_seed is None else seed(chosen_seed)(holds))()


def holds_for(
    inputs: st.SearchStrategy[Any],
    *,
    examples: int = 100,
    place: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> Callable[[Check], Callable[[], None]]:
    """Make a check of a place and one input a test that plays ``examples`` of them, and a part of the campaign."""

    def decorate(check: Check) -> Callable[[], None]:
        declared = Property(check, inputs, place)
        PROPERTIES.append(declared)

        def test() -> None:
            declared.play(settings(BOUNDED, max_examples=examples))

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorate
