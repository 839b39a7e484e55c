"""The way from a delivery to a started round."""
