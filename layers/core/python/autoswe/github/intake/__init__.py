"""What intake asks GitHub."""
