"""What GitHub publishes about itself, cut to what this project asks: the judges of the local GitHub host."""
