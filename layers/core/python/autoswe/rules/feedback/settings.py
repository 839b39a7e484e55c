"""The settings that feedback rounds obey, by their names (feedback §6)."""

KILL_SWITCH = "github.prFeedbackAutomationsEnabled"
"""Off, or never saved: nothing starts, no token is minted, nothing is read from the host."""
