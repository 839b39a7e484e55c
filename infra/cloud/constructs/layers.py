"""The two Lambda layers: locked third-party packages, and the product."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import jsii
from aws_cdk import aws_lambda
from constructs import Construct

from infra.cloud.names import REPOSITORY

RUNTIME = aws_lambda.Runtime.PYTHON_3_13
ARCHITECTURE = aws_lambda.Architecture.ARM_64

# The runtime's Amazon Linux 2023 brings glibc 2.34; 2.28 is the oldest for which every locked package has a wheel.
_INSTALL = (
    *("-m", "uv", "pip", "install", "--quiet"),
    *("--require-hashes", "--only-binary", ":all:"),
    *("--python-platform", "aarch64-manylinux_2_28", "--python-version", "3.13"),
)


@jsii.implements(cdk.ILocalBundling)
class LockedPackages:
    """Unpacks the wheels of a locked requirements file for the functions' platform, without a container engine."""

    def __init__(self, requirements: Path) -> None:
        self._requirements = requirements

    @property
    def fingerprint(self) -> str:
        """Tell two results apart: by what is locked and how it is installed, not by where."""
        return hashlib.sha256(self._requirements.read_bytes() + " ".join(_INSTALL).encode()).hexdigest()

    def try_bundle(self, output_dir: str, _options: object = None, **_more: Any) -> bool:
        """Fill ``output_dir`` with the packages, as a layer lays them out."""
        packages = Path(output_dir) / "python"
        where = ("--target", str(packages), "--requirement", str(self._requirements))
        subprocess.run([sys.executable, *_INSTALL, *where], check=True, stdout=sys.stderr)  # noqa: S603 - fixed program
        # Scripts name this machine's interpreter, and nothing in a function runs them.
        shutil.rmtree(packages / "bin", ignore_errors=True)
        (packages / ".lock").unlink(missing_ok=True)
        return True


class Layers(Construct):
    """The layers that every function stands on."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        vendor = REPOSITORY / "layers" / "vendor"
        packages = LockedPackages(vendor / "requirements.txt")
        self.all: list[aws_lambda.ILayerVersion] = [
            self._layer(
                "Vendor",
                aws_lambda.Code.from_asset(
                    str(vendor),
                    asset_hash=packages.fingerprint,
                    # The image is asked for only where no local bundling is given.
                    bundling=cdk.BundlingOptions(image=cdk.DockerImage.from_registry("none"), local=packages),
                ),
            ),
            self._layer(
                "Core",
                aws_lambda.Code.from_asset(
                    str(REPOSITORY / "layers" / "core"), exclude=["**/__pycache__", "python/autoswe/cli"]
                ),
            ),
        ]

    def _layer(self, construct_id: str, code: aws_lambda.Code) -> aws_lambda.LayerVersion:
        return aws_lambda.LayerVersion(
            self, construct_id, code=code, compatible_runtimes=[RUNTIME], compatible_architectures=[ARCHITECTURE]
        )
