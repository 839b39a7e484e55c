"""Lambda entry of the schedule that sweeps up what was lost."""

from autoswe.runtime.intake import schedule

handler = schedule.sweep_deliveries
