"""The one function that spells a key of the table (architecture §4)."""


def key(*parts: str) -> str:
    """Join ``parts`` with ``#``; a ``%`` or ``#`` inside a part is percent-encoded, so that no two lists of parts meet.

    A ``/`` stays as it is: a repository reads as ``owner/name`` in the console.
    """
    return "#".join(part.replace("%", "%25").replace("#", "%23") for part in parts)


SINGLE = "row"
"""The sort key of an item that has its partition to itself."""


def pull_partition(connection: str, repository: str, pull_number: int) -> str:
    """Spell the partition that holds everything about one pull request."""
    return key("PR", connection, repository, str(pull_number))


SLOT = "INFLIGHT"
"""The sort key of a pull request's slot."""


def origin_key(connection: str, repository: str, pull_number: int) -> dict[str, str]:
    """Spell the key of who opened a pull request."""
    return {"pk": pull_partition(connection, repository, pull_number), "sk": "ORIGIN"}


def commit_key(connection: str, repository: str, commit_sha: str) -> dict[str, str]:
    """Spell the key of a commit of ours."""
    return {"pk": key("COMMIT", connection, repository, commit_sha), "sk": SINGLE}
