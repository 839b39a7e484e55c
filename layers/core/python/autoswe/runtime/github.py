"""Joins a connection to its host: the one place where a private key and GitHub's client meet."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from autoswe.contracts.records.platform import Connection
from autoswe.runtime import aws
from autoswe.runtime.process import Process
from autoswe.secrets.secrets_manager import Secrets, UnreadableSecret

if TYPE_CHECKING:
    from autoswe.github.hosts import GitHub


PRIVATE_KEY = "private-key"
REVIEW_PRIVATE_KEY = "review-private-key"
"""The names of the Apps' keys: no function can read those of both kinds."""


def github(process: Process, connection: Connection, key_name: str = PRIVATE_KEY) -> "GitHub":
    """Wire a connection's host; its key, the secret ``key_name``, is read when the first token is minted."""
    # Only the functions that talk to GitHub pay for importing its client.
    from autoswe.github.hosts import GitHub  # noqa: PLC0415
    from autoswe.github.transport.http import open_client  # noqa: PLC0415 - as above

    client = process.once("github client", open_client)
    private_key = _private_key(process, connection.name, key_name)
    return GitHub(connection, private_key, client=client, now=process.now, sleep=process.sleep)


def read_secret(process: Process, connection: str, name: str) -> str | None:
    """Read a connection's secret; ``None`` when it does not exist."""
    secrets = process.once(
        "secrets",
        lambda: Secrets(
            lambda: aws.client(process, "secretsmanager"), process.variable("AUTOSWE_SECRETS_PREFIX"), process.now
        ),
    )
    return secrets.read(connection, name)


def _private_key(process: Process, connection: str, name: str) -> Callable[[], str]:
    def read() -> str:
        key = read_secret(process, connection, name)
        if key is None:
            raise UnreadableSecret(f"the connection {connection} has no private key")
        return key

    return read
