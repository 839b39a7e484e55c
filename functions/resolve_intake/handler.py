"""Lambda entry of the table's stream, for intakes that were written down."""

from autoswe.runtime.intake import stream

handler = stream.resolve_intake
