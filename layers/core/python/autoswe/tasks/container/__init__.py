"""What every container stands on: its addresses, its workspace and the watchdog."""
