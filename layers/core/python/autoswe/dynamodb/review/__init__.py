"""Rows of reviews."""
