"""The second deployment target: the same system in one process."""
