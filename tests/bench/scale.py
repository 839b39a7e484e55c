"""How large the bench is."""

from typing import NamedTuple


class Scale(NamedTuple):
    """How often things are done, for how many seconds, and what part of their size inputs have.

    ``share`` is how many times smaller than its full size an input is.
    """

    repetitions: int
    seconds: float
    share: int


FULL = Scale(repetitions=7, seconds=0.5, share=1)
SMALLEST = Scale(repetitions=1, seconds=0, share=200)
"""Shows that everything can still be measured; the numbers say nothing."""
