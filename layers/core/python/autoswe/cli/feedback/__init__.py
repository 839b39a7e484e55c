"""Commands about feedback rounds."""
