"""Scheduled reviews."""
