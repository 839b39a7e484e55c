"""Downloads what a review run left in the bucket, in the folders that ``autoswe review simulate`` reads."""

from pathlib import Path

import boto3
from typer.testing import CliRunner

from autoswe.cli.app import assemble
from autoswe.rules.review.run.naming import REVIEWS, Kept, namespace_of
from infra.local.embedded_aws.account import REGION


def download(bucket: str, execution: str, folder: Path) -> None:
    """Download selection, sessions and results of the run that an execution began; of attempts, the last one's."""
    client = boto3.client("s3", region_name=REGION)
    for kept in (Kept.EVIDENCE, Kept.SESSIONS, Kept.RESULTS):
        prefix = f"{REVIEWS}/{kept}/{namespace_of(execution)}/"
        for listed in client.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", ()):
            parts = listed["Key"].removeprefix(prefix).split("/")
            file = folder.joinpath(*(part for part in parts if not part.isdigit()))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(client.get_object(Bucket=bucket, Key=listed["Key"])["Body"].read())


def simulate(folder: Path) -> list[str]:
    """Return the lines that ``autoswe review simulate`` prints of a folder."""
    told = CliRunner().invoke(assemble([]), ["review", "simulate", "--run", str(folder)])
    assert (told.exit_code, told.stderr) == (0, "")
    return told.stdout.splitlines()
