"""One use case per file, named as its function: read, decide with rules, write."""
