"""What is decided: pure functions that return typed verdicts."""
