"""The roles that the steps of intake ask for."""
