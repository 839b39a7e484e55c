"""Rows on the way from a delivery to a started round."""
