"""Requests to GitHub: tokens, retries, refusals, GraphQL."""
