"""AWS in one process: the services that the product uses, with AWS's rules, limits and error shapes.

DynamoDB, S3, STS and the workflow engine are moto's; Lambda, ECS, EventBridge, the stream mappings and the HTTP API are
made here. ``aws.EmbeddedAws`` puts them together.
"""

import infra.local.embedded_aws.moto_engine  # noqa: F401 - decides what moto imports, so it comes before any other part
