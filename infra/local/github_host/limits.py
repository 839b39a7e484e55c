"""Bounds that a scenario may lower to see what happens at them."""

from dataclasses import dataclass


@dataclass
class Limits:
    """The host's bounds, by default GitHub's own.

    Sizes, in bytes: ``blob_bytes`` of a blob, ``tree_bytes`` of a recursive tree before it is truncated ("Git blobs",
    "Git trees"), ``patch_bytes`` of a file's patch before it is left out (assumed from "Limits for viewing content and
    diffs in a repository"), ``webhook_bytes`` of a payload that is sent ("Webhook events and payloads").

    Numbers: ``tree_entries`` in a recursive tree, ``compared_files`` in a comparison, ``pull_files`` and
    ``pull_commits`` of a pull request, ``query_nodes`` that a GraphQL query may ask for, ``query_ids`` of nodes that
    one may name.

    Rates, per installation ("Rate limits for the REST API", "Rate limits and query limits for the GraphQL API"):
    ``requests_per_hour`` over REST, and as many points over GraphQL; ``rest_points_per_minute`` and
    ``graphql_points_per_minute``; ``content_per_minute`` and ``content_per_hour``, for what people are told of;
    ``concurrent_requests``.

    Times, in seconds: ``webhook_seconds`` that a receiver may take, ``token_seconds`` until a new token is known
    everywhere, during which it is refused; GitHub documents no bound for that, and mostly it is none;
    ``replica_lag_seconds`` until lists of comments and of threads show what was written, see ``replicas``.
    """

    blob_bytes: int = 100 * 1024 * 1024
    tree_bytes: int = 7 * 1024 * 1024
    patch_bytes: int = 500 * 1024
    webhook_bytes: int = 25 * 1024 * 1024
    tree_entries: int = 100_000
    compared_files: int = 300
    pull_files: int = 3_000
    pull_commits: int = 250
    query_nodes: int = 500_000
    query_ids: int = 100
    requests_per_hour: int = 5_000
    rest_points_per_minute: int = 900
    graphql_points_per_minute: int = 2_000
    content_per_minute: int = 80
    content_per_hour: int = 500
    concurrent_requests: int = 100
    webhook_seconds: float = 10.0
    token_seconds: float = 0.0
    replica_lag_seconds: float = 0.0
