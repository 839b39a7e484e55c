"""What travels through a feedback round."""
