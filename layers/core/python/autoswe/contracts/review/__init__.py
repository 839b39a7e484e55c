"""The files that the steps of a scheduled review exchange, by the names and shapes of review §18."""
