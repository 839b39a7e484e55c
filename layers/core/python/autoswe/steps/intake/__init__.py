"""From a delivery to a started round."""
