"""Where the product is assembled: in the cloud, and in one process on this machine."""
