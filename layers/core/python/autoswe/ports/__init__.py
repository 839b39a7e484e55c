"""The roles that steps ask for; wiring joins them to adapters."""
