"""Lambda entry of the table's stream, for recorded decisions."""

from autoswe.runtime.intake import stream

handler = stream.start_workflow
