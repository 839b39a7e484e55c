"""The JSON documents in which REST answers and webhooks show the host's objects."""
