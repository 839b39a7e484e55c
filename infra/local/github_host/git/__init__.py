"""Real bare git repositories: what is in them, and what moves their branches."""
