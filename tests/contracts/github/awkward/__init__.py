"""The local GitHub host where it is as awkward as the real one."""
