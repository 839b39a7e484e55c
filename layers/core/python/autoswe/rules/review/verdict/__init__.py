"""What a session may claim, what corroborates it, and what the approval says."""
