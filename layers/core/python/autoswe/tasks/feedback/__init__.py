"""The three containers of the fixer."""
