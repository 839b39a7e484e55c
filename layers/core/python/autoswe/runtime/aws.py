"""The AWS clients of a process: built from one botocore session, each at its first use.

botocore is imported without boto3, which adds nothing here but time to the webhook's cold start.
"""

from typing import Any

from botocore.config import Config
from botocore.session import Session

from autoswe.runtime.process import Process

_CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 2},
    tcp_keepalive=True,
)


def session(process: Process) -> Session:
    """Return the process's one botocore session: it reads each service's description once."""
    return process.once("aws session", Session)


def client(process: Process, service: str) -> Any:
    """Return the process's client of an AWS service.

    A call that gets no answer is given up after 3 s and made twice at most: GitHub waits 10 s for a webhook's answer.
    """
    return process.once(
        f"aws client {service}",
        lambda: session(process).create_client(service, region_name=process.variable("AWS_REGION"), config=_CONFIG),
    )
