"""The CDK application."""
