"""The one table: its client, keys, rows and transactions."""
