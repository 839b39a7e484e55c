"""Decisions about feedback rounds (feedback §1–§7)."""
