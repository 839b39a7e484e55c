"""What may be done with text from people, bots and models."""
