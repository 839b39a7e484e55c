"""Rules of the way from a delivery to a started round."""
