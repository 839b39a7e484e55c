"""Builders and strategies that several tests use."""
