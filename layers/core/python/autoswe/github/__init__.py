"""The only place that knows GitHub."""
