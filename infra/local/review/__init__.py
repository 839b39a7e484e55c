"""Scheduled reviews on the local assembly."""
