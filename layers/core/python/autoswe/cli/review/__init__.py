"""Commands about reviews."""
