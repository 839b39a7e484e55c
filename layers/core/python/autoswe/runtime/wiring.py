"""Joins the adapters that several capabilities ask for to the environment of their process."""

from functools import partial
from typing import Any

from autoswe.dynamodb.feedback.rounds import RoundTable
from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.runtime import aws
from autoswe.runtime.process import Process
from autoswe.s3.artifacts import VersionedBucket
from autoswe.s3.client import s3_client
from autoswe.s3.presigned import SessionSigner


class AgentNotNamed(Exception):
    """A deployment names no agent, or one that there is no adapter for."""


def records(process: Process) -> RecordTable:
    """Wire the platform's own records."""
    return RecordTable(table(process), Backoff(process.sleep))


def signer(process: Process) -> SessionSigner:
    """Wire the role whose sessions sign containers' addresses."""
    return SessionSigner(
        aws.client(process, "sts"),
        process.variable("AUTOSWE_SIGNER_ROLE_ARN"),
        process.variable("AUTOSWE_BUCKET"),
        partial(s3_client, aws.session(process), process.variable("AWS_REGION")),
    )


def artifacts(process: Process) -> VersionedBucket:
    """Wire the bucket of artifacts."""
    return VersionedBucket(bucket_client(process), process.variable("AUTOSWE_BUCKET"))


def bucket_client(process: Process) -> Any:
    """Wire the client that reaches the bucket."""
    return process.once("s3", lambda: s3_client(aws.session(process), process.variable("AWS_REGION")))


def table(process: Process) -> Table:
    """Wire the one table."""
    return Table(process.variable("AUTOSWE_TABLE"), lambda: aws.client(process, "dynamodb"))


def rounds(process: Process) -> RoundTable:
    """Wire the ledger of rounds."""
    return RoundTable(table(process), process.now, Backoff(process.sleep))
