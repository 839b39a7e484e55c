"""People and Apps, and what they may do."""
