"""AWS on moto, reached through clients that are built once: reading service models takes longer than a test."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache, partial
from typing import Any

import botocore.session
from moto import mock_aws

from autoswe.runtime.process import Process, running_as

__all__ = ["REGION", "mock_aws", "mock_client", "running_on_mock_aws"]

REGION = "eu-west-1"
_SERVICES = ("dynamodb", "secretsmanager", "stepfunctions")


@cache
def _session() -> Any:
    return botocore.session.Session()


@cache
def mock_client(service: str) -> Any:
    """Return the client of a service; to be used inside ``mock_aws()``."""
    return _session().create_client(service, region_name=REGION)


@contextmanager
def running_on_mock_aws(environment: Mapping[str, str], now: Callable[[], datetime]) -> Iterator[Process]:
    """Run handlers in a process of their own whose clients reach moto."""
    with running_as(Process(environment, now)) as process:
        for service in _SERVICES:
            process.once(f"aws client {service}", partial(mock_client, service))
        yield process
