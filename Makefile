# `make try` and `make test` are all a newcomer needs; both work in a fresh clone.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: try test lint types layers check clean

try: $(VENV)/.try
	@$(BIN)/gw config show

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/deptry .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

check: lint types layers test

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Groundwire needs Python 3.11 or newer; set PYTHON=/path/to/python."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.try: constraints/try.txt pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r constraints/try.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: constraints/dev.txt pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r constraints/dev.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.try

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
