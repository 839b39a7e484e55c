"""The table: one function per row kind."""
