"""Stories told end to end through the local assembly, with real git."""
