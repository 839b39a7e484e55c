"""A scheduled review, state by state."""
