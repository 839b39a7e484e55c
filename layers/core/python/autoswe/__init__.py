"""auto-swe: acts on pull-request feedback, and never twice."""
