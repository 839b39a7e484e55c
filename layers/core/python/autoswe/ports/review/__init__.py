"""The roles that the steps of reviews ask for."""
