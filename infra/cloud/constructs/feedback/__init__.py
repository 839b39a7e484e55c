"""Feedback rounds."""
