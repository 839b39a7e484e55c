"""Lambda entry of the schedule that sweeps up what was lost."""

from autoswe.runtime import schedule

handler = schedule.sweep_deliveries
