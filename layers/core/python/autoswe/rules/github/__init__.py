"""What a GitHub host says, as facts, and which of its reports on a commit count."""
