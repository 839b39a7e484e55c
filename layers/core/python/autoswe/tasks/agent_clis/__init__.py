"""The command-line agents that may ask a model, each started, read and bounded the same way (architecture §9.12)."""
