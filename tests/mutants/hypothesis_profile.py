"""A pytest plugin: the profile of hypothesis that judges mutants, the same few examples in every run.

A health check would fail a test, and so kill a mutant, because the machine was busy.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=20,
    suppress_health_check=list(HealthCheck),
)
