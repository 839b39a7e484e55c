"""Where Apps are installed, and the tokens with which they act there."""
