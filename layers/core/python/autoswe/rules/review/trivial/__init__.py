"""Which changes are harmless by what they are: documents, lock files, pins."""
