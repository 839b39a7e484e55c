"""What reports on a commit."""
