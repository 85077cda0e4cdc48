#!/usr/bin/env bash
# Pins every dependency with its hashes, for Python 3.11 to 3.13: run after changing pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() { uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-annotate pyproject.toml "$@"; }
compile --extra embedded --group build -o constraints/try.txt
compile --extra embedded --extra documents --extra schemas --group build --group test --group lint -o constraints/dev.txt
