"""The environment variables of the process while an embedded AWS runs in it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from infra.local.embedded_aws.account import REGION

ACCESS_KEY_ID = "LOCALASSEMBLY0000000"
SECRET_ACCESS_KEY = "not-a-secret"


@contextmanager
def only_dummy_credentials(s3_endpoint_url: str) -> Iterator[None]:
    """Take every AWS setting of the person at the keyboard out of reach until the block ends.

    S3 alone has an endpoint of its own, so that presigned addresses work for other processes; everything else is
    answered inside this process.
    """
    before = dict(os.environ)
    local = {
        "AWS_ACCESS_KEY_ID": ACCESS_KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled",
        "AWS_ENDPOINT_URL_S3": s3_endpoint_url,
    }
    for name in ("NO_PROXY", "no_proxy"):
        local[name] = ",".join(filter(None, (os.environ.get(name), "127.0.0.1")))
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(local)
    try:
        yield
    finally:
        for name in local:
            os.environ.pop(name, None)
        os.environ.update({name: value for name, value in before.items() if name in local or name.startswith("AWS_")})
