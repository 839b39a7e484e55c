"""S3, on moto, with what moto lets pass refused."""
