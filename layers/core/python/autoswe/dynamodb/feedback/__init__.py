"""Rows of feedback rounds."""
