"""The platform's own records."""
