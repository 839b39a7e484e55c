"""The house as the design draws it."""
