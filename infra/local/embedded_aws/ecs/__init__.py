"""Tasks of containers, as processes."""
