#!/usr/bin/env bash
# Resolves every requirements file from pyproject.toml; the smaller files are subsets of the largest.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=${UV:-uv}
common=(--quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate)
all=tests/requirements.txt
"$uv" pip compile "${common[@]}" pyproject.toml --extra cli --group local --group cloud --group checks -o "$all"
"$uv" pip compile "${common[@]}" pyproject.toml -c "$all" -o layers/vendor/requirements.txt
"$uv" pip compile "${common[@]}" pyproject.toml --extra cli --group local -c "$all" -o infra/local/requirements.txt
"$uv" pip compile "${common[@]}" --group fixer -c "$all" -o functions/fixer_task/requirements.txt
"$uv" pip compile "${common[@]}" --group reviewer -c "$all" -o functions/review_task/requirements.txt
"$uv" pip compile "${common[@]}" --group cloud -c "$all" -o infra/cloud/requirements.txt
"$uv" pip compile "${common[@]}" --group mutants -c "$all" -o tests/mutants/requirements.txt
"$uv" pip compile "${common[@]}" --group installer -o infra/installer.txt
