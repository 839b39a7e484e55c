"""Which commits are ours: every round records its commit before it pushes it (architecture §4)."""

from collections.abc import Sequence

from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.attributes import text
from autoswe.dynamodb.table.batch_reads import read_batch
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.keys import commit_key


class PushedCommitTable:
    """The records of our commits in the table; raises ``Contended`` and ``MalformedRow``."""

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._table = table
        self._backoff = backoff

    def pushed_by_us(self, repository: str, commits: Sequence[str]) -> frozenset[str]:
        """Return those of a repository's commits that a round of any connection has made."""
        connections = RecordTable(self._table, self._backoff).connections()
        places = {
            commit_key(connection.name, repository, sha)["pk"]: sha for connection in connections for sha in commits
        }
        keys = [commit_key(connection.name, repository, sha) for connection in connections for sha in set(commits)]
        return frozenset(places[text(row, "pk")] for row in read_batch(self._table, self._backoff, keys))
