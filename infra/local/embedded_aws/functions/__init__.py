"""Lambda functions, called in this process, and the stream that calls them."""
