"""What answers and webhooks are made of: bodies, refusals, addresses and moments."""
