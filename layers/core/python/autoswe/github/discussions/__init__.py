"""What people and bots write: comments, reviews' threads, and who may be heard."""
