"""The local time for what boto3 and moto would date by the operating system's clock.

Signatures and sessions must be as old as the local time says, or a presigned address would never die in a scenario; a
stream record's age is measured by it.
"""

import datetime

import botocore.auth
from moto.dynamodb.models import table as dynamodb_tables
from moto.sts import models as sts

from infra.local.embedded_aws.clock import LocalClock
from infra.local.embedded_aws.patches import Patches


def install(patches: Patches, clock: LocalClock) -> None:
    """Have requests signed, sessions opened and stream records made at the local time."""

    def get_current_datetime(remove_tzinfo: bool = True) -> datetime.datetime:
        return clock.now().replace(tzinfo=None) if remove_tzinfo else clock.now()

    patches.attribute(botocore.auth, "get_current_datetime", get_current_datetime)
    for module in (sts, dynamodb_tables):
        patches.attribute(module, "utcnow", get_current_datetime)
