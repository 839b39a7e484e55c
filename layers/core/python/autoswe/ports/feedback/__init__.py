"""The roles that the steps of feedback rounds ask for."""
