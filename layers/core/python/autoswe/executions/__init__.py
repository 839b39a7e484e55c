"""Executions, as AWS Step Functions starts them."""
