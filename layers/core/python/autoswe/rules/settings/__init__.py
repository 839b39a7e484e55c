"""The platform's settings: which there are, what each may be, and whose value counts (feedback §6)."""
