"""Environment, logging, wiring and the handler wrapper."""
