"""The settings that feedback rounds obey, by their names (feedback §6)."""

KILL_SWITCH = "github.prFeedbackAutomationsEnabled"
"""Off, or never saved: no round starts and nothing is pushed; a round that runs still reports and watches CI."""
