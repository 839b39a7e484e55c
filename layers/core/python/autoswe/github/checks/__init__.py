"""What reports on a commit: checks, statuses, workflow runs."""
