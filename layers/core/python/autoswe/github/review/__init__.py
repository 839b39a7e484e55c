"""What reviews ask and tell GitHub: scans, diffs, approvals."""
