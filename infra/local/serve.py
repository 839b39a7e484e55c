"""Keeps the local assembly up, with the repository of ``events/github`` on it: ``autoswe serve``."""

import logging
import os
import tempfile
from pathlib import Path
from secrets import token_hex
from threading import Event
from typing import Annotated

import typer

from infra.local.assembly import LocalAssembly, Site
from infra.local.github_host.repository import Repository
from infra.local.github_host.sample_deliveries import SampleWorld

CONNECTION = "feedback"
SECRET_VARIABLE = "AUTOSWE_WEBHOOK_SECRET"


def serve(port: Annotated[int, typer.Option(help="The webhook's port; 0 takes a free one.")] = 8080) -> None:
    """Keep the local assembly up until interrupted; deliveries go to POST /github/feedback."""
    logging.disable(logging.ERROR)
    secret = os.environ.get(SECRET_VARIABLE) or token_hex(20)
    with (
        tempfile.TemporaryDirectory(prefix="auto-swe-serve-") as root,
        LocalAssembly(Path(root), port=port) as assembly,
    ):
        install_samples(assembly, secret)
        typer.echo(f"GitHub answers at {assembly.host.url}, webhooks at {assembly.webhook_url}/github/{CONNECTION}")
        typer.echo("Post one of the samples from another terminal:")
        typer.echo(f"  export {SECRET_VARIABLE}={secret}")
        sample = "events/github/command_in_discussion.json"
        typer.echo(f"  .venv/bin/autoswe deliver {sample} --url {assembly.webhook_url} --secret-env {SECRET_VARIABLE}")
        try:
            Event().wait()
        except KeyboardInterrupt:
            typer.echo("stopping")


def install_samples(assembly: LocalAssembly, secret: str) -> Site:
    """Bring the repository of the sample deliveries onto a fresh assembly, so that posting one starts its round."""
    world = SampleWorld.begin(assembly.host)
    world.play()
    assembly.keep_secrets(CONNECTION, world.app, secret)
    site = assembly.adopt(Site(CONNECTION, world.app, world.repository, assembly.host), world.installation)
    assembly.link_member(site, world.reviewer)
    assembly.record_origin(site, world.pull)
    world.repository.on_push(_report_ci)
    return site


def _report_ci(repository: Repository, _branch: str, sha: str) -> None:
    repository.check_run(sha, "tests", conclusion="success")
