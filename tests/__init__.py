"""Requirements as tests."""
