"""How long a decision has its pull request for itself (architecture §4)."""

from datetime import timedelta

LEASE = timedelta(seconds=1800)
"""How long a decision holds its pull request's slot unless its round renews the lease."""
