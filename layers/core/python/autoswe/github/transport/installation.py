"""One installation's API: everything that a scan asks about many repositories with one token."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import httpx
from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.records.platform import Connection
from autoswe.github.transport.api import Api, address, api_base, graphql_query, read_pages, understood
from autoswe.github.transport.graphql import TooMuch, failed_nodes, judge_batch, judge_nodes, judge_query
from autoswe.github.transport.http import Answer, Credential, Judge, Request, Transport
from autoswe.github.transport.nodes import NODES, Node, read_node
from autoswe.ports.github import PartialAnswer, Unavailable

T = TypeVar("T")
N = TypeVar("N", bound=Node)

MOST_NODES = {"open_pulls": 50, "pull_states": 25}
"""How many nodes each query asks about, at first: with far more the host does not answer in its ten seconds."""


class Installation:
    """What the resources of a whole installation ask through; lives as long as one step."""

    def __init__(self, transport: Transport, connection: Connection, credential: Callable[[], Credential]) -> None:
        """``credential`` is for every repository of the installation."""
        self._transport = transport
        self._connection = connection
        self._credential = credential
        self._most_nodes = dict(MOST_NODES)

    def repository(self, full_name: str) -> Api:
        """Ask about one repository, with the same token."""
        return Api(self._transport, self._connection, full_name, self._credential)

    def pages(self, shape: TypeAdapter[T], *path: str) -> Iterator[T]:
        """Read every page of a list; one that leads off the API or never seems to end is ``PartialAnswer``."""
        base = api_base(self._connection)
        name = f"GET /{'/'.join(path)}"
        request = Request(name, "GET", httpx.URL(address(base, *path)), self._credential(), is_read=True)
        return read_pages(self._transport, request, shape, base)

    def query(self, shape: TypeAdapter[T], name: str, **variables: JsonValue) -> T:
        """Run the named GraphQL query."""
        request, answer = self._ask(judge_query, name, variables)
        return understood(shape, request, answer)

    def all_nodes(self, shape: TypeAdapter[N], name: str, ids: Sequence[str], **variables: JsonValue) -> list[N]:
        """Ask the named query about nodes by their global ids, in few requests; one that is not told is an error."""
        nodes = self._in_batches(shape, judge_batch, name, ids, variables)
        found = [node for node in nodes if node is not None]
        if len(found) < len(ids):
            raise PartialAnswer(f"GraphQL {name}: {len(ids) - len(found)} of {len(ids)} nodes are not told")
        return found

    def each_node(self, shape: TypeAdapter[N], name: str, ids: Sequence[str]) -> list[N | None]:
        """Ask the same; a node that an error speaks of, or that cannot be understood, is ``None``."""
        return self._in_batches(shape, judge_nodes, name, ids, {})

    def _in_batches(
        self,
        shape: TypeAdapter[N],
        judging: Judge,
        name: str,
        ids: Sequence[str],
        variables: Mapping[str, JsonValue],
    ) -> list[N | None]:
        nodes: list[N | None] = []
        while len(nodes) < len(ids):
            batch = ids[len(nodes) : len(nodes) + self._most_nodes[name]]
            try:
                request, answer = self._ask(judging, name, {**variables, "ids": list(batch)})
            except TooMuch as too_much:
                if len(batch) == 1:
                    raise Unavailable(str(too_much)) from too_much
                # What was too much once is not tried again in this step: the host takes points for every attempt.
                self._most_nodes[name] = len(batch) // 2
            else:
                nodes += _matched(shape, batch, request, answer)
        return nodes

    def _ask(self, judging: Judge, name: str, variables: Mapping[str, JsonValue]) -> tuple[Request, Answer]:
        request = graphql_query(self._connection, self._credential(), name, variables, is_read=True)
        return request, self._transport.send(request, judging)


def _matched(shape: TypeAdapter[N], ids: Sequence[str], request: Request, answer: Answer) -> list[N | None]:
    nodes = understood(NODES, request, answer).data.nodes
    if len(nodes) != len(ids):
        raise PartialAnswer(f"{request.name}: {len(ids)} nodes were asked for, {len(nodes)} came")
    failed = failed_nodes(answer.content) or frozenset()
    return [
        None if place in failed else read_node(shape, node, node_id)
        for place, (node, node_id) in enumerate(zip(nodes, ids, strict=True))
    ]


class InstallationResource:
    """The base of every group of questions about an installation's repositories."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
