"""What runs inside the containers."""
