"""Every external call of a round, failed in every way; what must hold afterwards is the same each time."""
