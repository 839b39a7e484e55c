"""A review run: its inputs, its lease, what it remembers and what it reports."""
