"""Reads whether a round may spend anything now: the switches, and the organisation's budget (feedback §6)."""

from datetime import datetime

from autoswe.ports.records import Records
from autoswe.rules.feedback.eligibility import SkipReason, judge_budget
from autoswe.rules.settings.registry import BUDGET
from autoswe.rules.settings.resolution import StoredSettings, Unreadable


def budget_reason(settings: StoredSettings, records: Records, now: datetime) -> SkipReason | None:
    """Say why the organisation's budget stops a round, whoever or whatever asked for it, or nothing."""
    budget = settings.resolve(BUDGET)
    if isinstance(budget, Unreadable):
        return SkipReason.SETTING_UNREADABLE
    if budget.value is None:
        return None
    return judge_budget(budget.value, records.spent_usd(settings.place.organization, f"{now:%Y-%m}"))
