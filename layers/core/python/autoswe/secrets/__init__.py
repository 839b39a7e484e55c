"""Secrets, as AWS Secrets Manager keeps them."""
