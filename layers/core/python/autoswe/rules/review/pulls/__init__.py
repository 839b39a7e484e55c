"""Which pull requests a run reviews, and whether one is still the one that was reviewed."""
