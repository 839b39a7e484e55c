"""Lambda entry of the bus that other systems report their runs to."""

from autoswe.runtime.intake import bus

handler = bus.record_run
