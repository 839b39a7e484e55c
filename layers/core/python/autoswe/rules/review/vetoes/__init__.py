"""Which changes no review may approve."""
