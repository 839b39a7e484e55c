"""AWS on moto, reached through one botocore session: a session reads its service models from disk, once."""

from functools import cache
from typing import Any

import botocore.session
from moto import mock_aws

__all__ = ["REGION", "mock_aws", "mock_client"]

REGION = "eu-west-1"


@cache
def _session() -> Any:
    return botocore.session.Session()


def mock_client(service: str) -> Any:
    """Make a client of a service; to be used inside ``mock_aws()``."""
    return _session().create_client(service, region_name=REGION)
