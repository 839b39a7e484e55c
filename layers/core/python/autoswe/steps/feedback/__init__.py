"""A feedback round, state by state."""
