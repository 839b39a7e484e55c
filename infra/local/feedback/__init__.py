"""Feedback rounds on the local assembly."""
