"""A versioned bucket on moto, in the process or behind a web server of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.session import Session
from moto.server import ThreadedMotoServer

from autoswe.s3.client import SessionCredentials, s3_client
from tests.support.mock_aws import REGION, mock_aws

BUCKET = "autoswe-test"
SESSION = Session()


def bucket_client(credentials: SessionCredentials | None = None) -> Any:
    """Build a client of the bucket's region."""
    return s3_client(SESSION, REGION, credentials)


@contextmanager
def mock_bucket(*, versioned: bool = True) -> Iterator[Any]:
    """Make the bucket for as long as the block lasts, and give a client."""
    with mock_aws():
        client = bucket_client()
        client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        if versioned:
            client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        yield client


@contextmanager
def moto_endpoint() -> Iterator[str]:
    """Serve moto's state over HTTP for as long as the block lasts, and give the server's address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()
