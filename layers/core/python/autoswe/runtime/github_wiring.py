"""Joins a connection to its host: the one place where a private key and GitHub's client meet."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from autoswe.contracts.rows import Connection
from autoswe.runtime import aws
from autoswe.runtime.process import Process
from autoswe.secrets import Secrets, UnreadableSecret

if TYPE_CHECKING:
    from autoswe.github.hosts import GitHub


def github(process: Process, connection: Connection) -> "GitHub":
    """Wire a connection's host; its key is read when the first token is minted."""
    # Only the functions that talk to GitHub pay for importing its client.
    from autoswe.github.hosts import GitHub  # noqa: PLC0415
    from autoswe.github.transport import open_client  # noqa: PLC0415

    client = process.once("github client", open_client)
    return GitHub(
        connection, _private_key(process, connection.name), client=client, now=process.now, sleep=process.sleep
    )


def _private_key(process: Process, connection: str) -> Callable[[], str]:
    secrets = process.once(
        "secrets",
        lambda: Secrets(
            lambda: aws.client(process, "secretsmanager"), process.variable("AUTOSWE_SECRETS_PREFIX"), process.now
        ),
    )

    def read() -> str:
        key = secrets.read(connection, "private-key")
        if key is None:
            raise UnreadableSecret(f"the connection {connection} has no private key")
        return key

    return read
