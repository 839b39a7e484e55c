"""What travels between GitHub and a started round."""
