"""The entry of the function that a schedule calls: it takes nothing from the event and tells the log what it did."""

from typing import Any

from autoswe.contracts.intake.sweep import Swept
from autoswe.runtime.intake import wiring
from autoswe.runtime.log_line import log_line
from autoswe.runtime.process import current
from autoswe.steps.intake import sweep_deliveries as sweeping


class SweepIncomplete(Exception):
    """A part of a sweep failed, after all the others were done; the log says which, and an alarm that it happened."""


def sweep_deliveries(_event: object, _context: object) -> dict[str, Any]:
    """Sweep once; raises ``SweepIncomplete`` at the end when something failed."""
    swept = sweeping.sweep_deliveries(wiring.sweep_deliveries(current()))
    _log(swept)
    if swept.failures:
        raise SweepIncomplete(f"parts of the sweep that failed: {len(swept.failures)}")
    return swept.model_dump(mode="json")


def _log(swept: Swept) -> None:
    """Write one line for the sweep, one for each connection, and one for each failure."""
    step = {"step": "sweep_deliveries"}
    log_line({**step, "outcome": swept.outcome, "left_over": swept.left_over or None})
    for connection in swept.connections:
        log_line({**step, "outcome": swept.outcome, **connection.model_dump(mode="json")})
    for failure in swept.failures:
        log_line({**step, "outcome": "failed", **failure.model_dump(mode="json")})
