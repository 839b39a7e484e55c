"""Pull requests and what is said on them."""
