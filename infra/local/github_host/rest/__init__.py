"""The REST API: one file per resource."""
