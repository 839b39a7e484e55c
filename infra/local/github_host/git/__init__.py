"""Real bare git repositories, and what moves their branches."""
