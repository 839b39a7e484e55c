"""What GraphQL operations cost, by the formula that GitHub publishes."""

import pytest
from graphql import OperationDefinitionNode, build_schema, get_operation_ast, parse, validate

from autoswe.github.transport.installation import MOST_NODES
from infra.local.github_host.graphql.cost import Cost, cost_of, excess
from infra.local.github_host.graphql.endpoint import served_schema
from tests.contracts.github.regenerate import DOCUMENTS

LIMIT = 500_000

# Nodes, requests and points of each operation of the product, worked out by hand:
# CiReading      rules, contexts, suites and contexts before 100: 4 requests, 400 nodes; checkRuns 1 of each suite: 100,
#                100. 104 requests, rounded 1.
# ReviewThreads  reviewThreads 100: 1 request, 100 nodes; comments 50 of each: 100 requests, 100 x 50 nodes.
#                101 requests / 100 = 1.01, rounded 1.
# OpenPulls      50 repositories by id: 1 request, 50 nodes; pullRequests 100 of each: 50 requests, 50 x 100 nodes.
# PullStates     25 pull requests by id: 1 request, 25 nodes; of each, in 25 requests, 30 reviews, 10 reviewRequests and
#                20 reviewThreads; comments 1 of each of those: 25 x 20 requests and nodes. 576 requests, rounded 6.
# PullLists      reviews, reviewRequests, reviewThreads 100: 3 requests, 300 nodes; comments 1 of each thread: 100, 100.
# PullDetails    labels, reviews, contexts 100: 3 requests, 300 nodes.
# PullEnds       no connections.
# PullState      rules 100: 1 request, 100 nodes.
# Texts          no connections.
# UpdateRefs     a mutation without connections: the least that anything costs.
EXPECTED = {
    "ci_reading": (500, 104, 1),
    "open_pulls": (50 + 5_000, 51, 1),
    "pull_details": (300, 3, 1),
    "pull_ends": (0, 0, 1),
    "pull_state": (100, 1, 1),
    "pull_lists": (400, 103, 1),
    "pull_states": (25 + 750 + 250 + 500 + 500, 576, 6),
    "review_threads": (5_100, 101, 1),
    "texts": (0, 0, 1),
    "update_refs": (0, 0, 1),
}

SCHEMA = build_schema("""
type Query { viewer: User users(ids: [ID!]!): [User]! search(first: Int, last: Int): UserConnection }
type User {
  login: String
  repositories(first: Int, last: Int): RepositoryConnection
  followers(first: Int, last: Int): UserConnection
}
type Repository {
  name: String
  pullRequests(first: Int, last: Int): PullConnection
  issues(first: Int, last: Int): IssueConnection
}
interface Labelled { labels(first: Int, last: Int): LabelConnection }
type Pull implements Labelled {
  comments(first: Int, last: Int): CommentConnection
  labels(first: Int, last: Int): LabelConnection
}
type Issue implements Labelled {
  comments(first: Int, last: Int): CommentConnection
  labels(first: Int, last: Int): LabelConnection
}
type Comment { body: String }
type Label { name: String }
type UserConnection { totalCount: Int nodes: [User] edges: [UserEdge] }
type RepositoryConnection { totalCount: Int nodes: [Repository] edges: [RepositoryEdge] }
type PullConnection { totalCount: Int nodes: [Pull] edges: [PullEdge] }
type IssueConnection { totalCount: Int nodes: [Issue] edges: [IssueEdge] }
type CommentConnection { totalCount: Int nodes: [Comment] edges: [CommentEdge] }
type LabelConnection { totalCount: Int nodes: [Label] edges: [LabelEdge] }
type UserEdge { node: User }
type RepositoryEdge { node: Repository }
type PullEdge { node: Pull }
type IssueEdge { node: Issue }
type CommentEdge { node: Comment }
type LabelEdge { node: Label }
""")


def cost(text: str, **variables: object) -> Cost:
    document = parse(text)
    assert validate(SCHEMA, document) == []
    operation = get_operation_ast(document)
    assert operation is not None
    return cost_of(SCHEMA, document, operation, variables)


def test_the_table_names_every_operation_of_the_product() -> None:
    assert {path.stem for path in DOCUMENTS[0].glob("*.graphql")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_operation_of_the_product_costs_what_the_formula_says_and_keeps_below_the_limits(name: str) -> None:
    document = parse((DOCUMENTS[0] / f"{name}.graphql").read_text(encoding="utf-8"))
    [operation] = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    found = cost_of(served_schema(), document, operation, {"ids": ["id"] * MOST_NODES.get(name, 0)})
    assert (found.nodes, found.requests, found.points) == EXPECTED[name]
    assert excess(found, LIMIT) is None
    # Pages of every connection are bounded by the document itself, whatever a caller says.
    assert all(one.nodes for one in found.connections)


def test_the_documented_example_of_nodes() -> None:
    # 50 repositories + 50 x 20 pulls + 50 x 20 x 10 comments + 50 x 20 issues + 50 x 20 x 10 comments + 10 followers
    found = cost("""{ viewer {
      repositories(first: 50) { edges { repository: node { name
        pullRequests(first: 20) { edges { pull: node { comments(first: 10) { edges { node { body } } } } } }
        issues(first: 20) { edges { issue: node { comments(first: 10) { edges { node { body } } } } } }
      } } }
      followers(first: 10) { edges { node { login } } }
    } }""")
    assert found.nodes == 22_060


def test_the_documented_example_of_points() -> None:
    # 1 for the repositories, 100 for their issues, 100 x 50 for the labels of those: 5,101 requests are 51.01 points.
    found = cost("""{ viewer { login repositories(first: 100) { edges { node {
      issues(first: 50) { edges { node { labels(first: 60) { edges { node { name } } } } } }
    } } } } }""")
    assert (found.requests, found.points) == (5_101, 51)


@pytest.mark.parametrize(("times", "points"), [(1, 1), (149, 1), (150, 2), (249, 2), (250, 3)])
def test_points_are_rounded_to_the_nearest_and_at_least_one(times: int, points: int) -> None:
    aliases = " ".join(f"a{number}: search(first: 1) {{ nodes {{ login }} }}" for number in range(times))
    assert cost(f"{{ {aliases} }}").points == points


def test_sizes_may_come_from_variables_their_defaults_or_from_the_end() -> None:
    text = """query X($first: Int, $last: Int = 7) {
      a: search(first: $first) { nodes { login } } b: search(last: $last) { nodes { login } }
    }"""
    assert [one.nodes for one in cost(text, first=3).connections] == [3, 7]
    assert [one.nodes for one in cost(text, first=3, last=2).connections] == [3, 2]


def test_fragments_count_where_they_are_spread_and_every_branch_of_them() -> None:
    found = cost("""{ viewer { repositories(first: 10) { nodes { ...Repository } } } }
      fragment Repository on Repository { ... { issues(first: 2) { nodes { ...Labels } } }
        pullRequests(first: 3) { nodes { ...Labels ... on Pull { comments(first: 5) { nodes { body } } } } } }
      fragment Labels on Labelled { labels(first: 4) { nodes { name } } }""")
    # 10 + 10 x 2 + 10 x 2 x 4 + 10 x 3 + 10 x 3 x 4 + 10 x 3 x 5, in 1 + 10 + 20 + 10 + 30 + 30 requests
    assert (found.nodes, found.requests) == (10 + 20 + 80 + 30 + 120 + 150, 101)


def test_nodes_that_are_named_count_like_a_list_of_that_length() -> None:
    text = "query X($ids: [ID!]!) { users(ids: $ids) { followers(first: 3) { nodes { login } } } }"
    # 5 nodes in one request, then 3 of each in 5 requests.
    found = cost(text, ids=["a", "b", "c", "d", "e"])
    assert (found.nodes, found.requests) == (5 + 15, 1 + 5)
    assert cost('{ users(ids: ["a", "b"]) { login } }').nodes == 2


def test_a_connection_that_is_only_counted_brings_no_nodes() -> None:
    found = cost("{ viewer { repositories { totalCount } followers(first: 2) { totalCount } } }")
    assert (found.nodes, found.requests) == (0, 2)


def test_too_many_nodes_are_complained_about_where_they_are_or_in_all() -> None:
    deep = (
        "repositories(first: 100) { nodes { issues(first: 100) { nodes { labels(first: 100) { nodes { name } } } } } }"
    )
    assert excess(cost(f"{{ viewer {{ {deep} }} }}"), LIMIT) == (
        "By the time this query traverses to the labels connection, it is requesting up to 1,000,000 possible nodes "
        "which exceeds the maximum limit of 500,000."
    )
    wide = " ".join(
        f"c{number}: issues(first: 100) {{ nodes {{ labels(first: 100) {{ nodes {{ name }} }} }} }}"
        for number in range(100)
    )
    found = cost(f"{{ viewer {{ repositories(first: 1) {{ nodes {{ {wide} }} }} }} }}")
    assert excess(found, LIMIT) == (
        "This query requests up to 1,010,001 possible nodes which exceeds the maximum limit of 500,000."
    )
    assert excess(found, 1_010_001) is None
