"""Clients for the bucket: signature version 4, the region's own address, and bounded waiting."""

from typing import Any, NamedTuple

from botocore.config import Config
from botocore.session import Session


class SessionCredentials(NamedTuple):
    """The credentials of an assumed role, as STS hands them out."""

    access_key_id: str
    secret_access_key: str
    session_token: str


def s3_client(session: Session, region: str, credentials: SessionCredentials | None = None) -> Any:
    """Build an S3 client with the process's own credentials, or with those of an assumed role.

    A session reads S3's description once for all its clients, which takes most of the time that building one takes.
    The bucket is named in the region's own host: the global address redirects a presigned PUT while a bucket is new,
    and the containers' name firewall lets no other through (documentation page "Virtual hosting of general purpose
    buckets"). ``AWS_ENDPOINT_URL`` is honoured; an endpoint at an IP address cannot carry the bucket in its name and
    gets it in the path.
    Checksums are added only where a caller asks for one: a presigned address must not demand a header that the
    container would have to compute.
    """
    key, secret, token = credentials or (None, None, None)
    return session.create_client(
        "s3",
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(
            signature_version="s3v4",
            # Left alone, botocore signs for the global address where the region is us-east-1.
            s3={"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"},
            request_checksum_calculation="when_required",
            retries={"mode": "standard", "total_max_attempts": 3},
            connect_timeout=2,
            read_timeout=30,
        ),
    )
