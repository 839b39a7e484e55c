"""Entries and wiring of reviews."""
