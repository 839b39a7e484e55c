"""Fetch what GitHub publishes about itself and cut it anew: ``python -m tests.contracts.github.regenerate``.

Needs npm and a few hundred megabytes of memory; run it when an operation, an event or a document was added.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from infra.local.github_host.rest.api import ROUTES
from tests.contracts.github import graphql_subset, openapi_subset, webhook_subset

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
GRAPHQL = REPOSITORY / "infra/local/github_host/graphql"
DOCUMENTS = (REPOSITORY / "layers/core/python/autoswe/github/transport/queries", GRAPHQL)
OPENAPI_FILE = HERE / "openapi.json"
WEBHOOKS_FILE = HERE / "webhooks.json"
OPENAPI_WEBHOOKS_FILE = HERE / "openapi_webhooks.json"

# Package, version, and what its archive must hash to.
SCHEMA = ("@octokit/graphql-schema", "15.26.1", "053e74249dafce2118fd9b7ae499b067d57c5f910c57745699ac45108bc68d1e")
OPENAPI = ("@octokit/openapi", "23.0.2", "71a18407dd5e8464f4e0525daf03deabbe65abd9287d6adc7b5d98f516cd0d0c")
OPENAPI_WEBHOOKS = (
    "@octokit/openapi-webhooks",
    "12.1.0",
    "112b87c7dcda464640248dcf5965bcd69027c65bb45c26ae78fbf3f0d1eaa740",
)
WEBHOOKS = ("@octokit/webhooks-schemas", "7.6.1", "94be9136c02e5246912d6a4b1f178f8d5430ae36839e46ecfcad0020f42f33ca")

WEBHOOK_DEFINITIONS = (
    *(f"check_run${action}" for action in ("completed", "created")),
    *(f"installation${action}" for action in ("created", "deleted", "suspend", "unsuspend")),
    *(f"issue_comment${action}" for action in ("created", "deleted", "edited")),
    "ping$event",
    *(f"pull_request${action}" for action in ("closed", "locked", "opened", "reopened", "synchronize", "unlocked")),
    *(f"pull_request_review${action}" for action in ("dismissed", "edited", "submitted")),
    *(f"pull_request_review_comment${action}" for action in ("created", "deleted", "edited")),
    *(f"pull_request_review_thread${action}" for action in ("resolved", "unresolved")),
    *(f"repository${action}" for action in ("renamed", "transferred")),
)


def documents() -> list[str]:
    """Return the GraphQL documents of the product and the one that shows all the host answers."""
    paths = sorted(path for folder in DOCUMENTS for path in folder.glob("*.graphql") if path.name != "schema.graphql")
    return [path.read_text(encoding="utf-8") for path in paths]


def main() -> None:
    """Write the four extracts; the licence of each stands beside it."""
    with tempfile.TemporaryDirectory() as folder:
        schema = _member(SCHEMA, "package/schema.graphql", Path(folder))
        (GRAPHQL / "schema.graphql").write_text(graphql_subset.cut(schema, documents()), encoding="utf-8")
        description = json.loads(_member(OPENAPI, "package/generated/api.github.com.json", Path(folder)))
        _write(OPENAPI_FILE, openapi_subset.cut(description, operations()))
        events = json.loads(_member(WEBHOOKS, "package/schema.json", Path(folder)))
        _write(WEBHOOKS_FILE, webhook_subset.cut(events, WEBHOOK_DEFINITIONS))
        described = json.loads(_member(OPENAPI_WEBHOOKS, "package/generated/api.github.com.json", Path(folder)))
        _write(OPENAPI_WEBHOOKS_FILE, webhook_subset.cut_openapi(described, WEBHOOK_DEFINITIONS))


def operations() -> list[str]:
    """List the REST operations whose description is kept: those that the host serves."""
    return sorted(route.operation for route in ROUTES)


def _member(package: tuple[str, str, str], member: str, folder: Path) -> str:
    name, version, expected = package
    packed = subprocess.run(
        ["npm", "pack", "--silent", f"{name}@{version}"], cwd=folder, check=True, capture_output=True, text=True
    )
    archive = folder / packed.stdout.strip()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != expected:
        raise ValueError(f"{name} {version} is not the package that was looked at: {found}")
    with tarfile.open(archive) as files:
        content = files.extractfile(member)
        if content is None:
            raise ValueError(f"{name} {version} has no file {member}")
        return content.read().decode()


def _write(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
