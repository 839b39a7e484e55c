"""Entries and wiring of feedback rounds."""
