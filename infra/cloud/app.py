"""The CDK application: ``python -m infra.cloud.app`` writes the cloud assembly to ``cdk.out``."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
import cdk_nag

from infra.cloud.context_values import SettingRefused
from infra.cloud.deployment import read_deployment
from infra.cloud.names import REPOSITORY
from infra.cloud.stack import build_stack


def read_context() -> dict[str, Any]:
    """Read the context that ``cdk.json`` names; values given to the CDK command line come before it."""
    context: dict[str, Any] = json.loads((REPOSITORY / "cdk.json").read_text(encoding="utf-8"))["context"]
    return context


def build_app(context: Mapping[str, Any], outdir: str) -> cdk.App:
    """Describe one deployment; raises ``SettingRefused`` when the context will not do.

    Synthesis fails on every finding of the AWS Solutions checks that is not accepted where it arises.
    """
    app = cdk.App(context=dict(context), outdir=outdir, analytics_reporting=False)
    build_stack(app, read_deployment(app.node.try_get_context))
    cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
    return app


def main() -> None:
    """Synthesise into the folder that the CDK command line names, else ``cdk.out`` at the root of the repository."""
    try:
        app = build_app(read_context(), os.environ.get("CDK_OUTDIR") or str(REPOSITORY / "cdk.out"))
    except SettingRefused as error:
        sys.exit(f"cannot synthesise: {error}")
    assembly = app.synth()
    sys.stderr.write(f"the cloud assembly is in {assembly.directory}\n")


if __name__ == "__main__":
    main()
