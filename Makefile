# Hermes Memory: what people do with a checkout. Each target makes its own .venv the first time and re-uses it while
# pyproject.toml and constraints.txt stay the same. Needs python3 (3.10 or newer) and nothing else.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core-installed
DEV := $(VENV)/.dev-installed
# As many test processes as there are cores, but not more than four: each loads its own embedder (150 MB).
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && n=4; echo $$n)
PYTEST := $(BIN)/python -m pytest
EVERYDAY_AREAS := tests/core tests/read tests/shell tests/stores tests/summaries
EVERYDAY := not slow and not postgres and not chroma_server and not browser and not nightly

.PHONY: help demo test test-fast test-words lint format bench nightly docs notebooks constraints clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: $(CORE) ## a conversation of twelve weeks becomes memory, every decision explained
	@$(BIN)/hermes demo

test: $(DEV) ## all tests but the nightly ones
	@$(PYTEST) -n $(JOBS) --dist loadgroup -m "not nightly"

test-fast: $(DEV) ## the everyday subset, under a minute: rules, stores, reading, the shell
	@$(PYTEST) -q -n $(JOBS) --dist loadgroup -m "$(EVERYDAY)" $(EVERYDAY_AREAS)

test-words: $(DEV) ## what is understood of thousands of sentences, in both languages: three minutes
	@$(PYTEST) -q -n $(JOBS) --dist loadgroup -m "$(EVERYDAY)" tests/extraction tests/faults

lint: $(DEV) ## ruff, formatting, types, layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(DEV) ## format the code and sort the imports
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(DEV) ## speed, side by side in one run; results go to benchmarks/results/
	@for name in embedding read_path stores; do echo "== benchmarks/$$name.py =="; $(BIN)/python benchmarks/$$name.py; done

nightly: $(DEV) ## the long walks and kills
	@HERMES_NIGHTLY=1 HERMES_FUZZ=100000 $(PYTEST) -n $(JOBS) --dist loadgroup -m "nightly or slow" tests/fuzz tests/laws tests/durability
	@$(PYTEST) -n $(JOBS) --dist loadgroup -m nightly --ignore=tests/fuzz --ignore=tests/laws --ignore=tests/durability

docs: $(DEV) ## rewrite the pages that are generated from code
	@$(BIN)/python tools/presets_page.py
	@$(BIN)/python tools/demo_excerpt.py
	@$(BIN)/python -c 'from hermes_core.lifecycle import states_markdown as page; print(page(), end="")' >docs/states.md

notebooks: $(DEV) ## run the notebooks' scripts and keep their outputs
	@$(BIN)/python tools/notebooks.py

constraints: $(DEV) ## rewrite constraints.txt from what is installed in .venv
	@$(BIN)/python tools/constraints.py

clean: ## remove .venv, caches and the demo's store
	@rm -rf $(VENV) build dist *.egg-info demo-memory benchmarks/results
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Hermes needs Python 3.10 or newer, and there is no '$(PYTHON)' here."; \
	  echo "On Debian or Ubuntu: sudo apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "Hermes needs Python 3.10 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name another one: make demo PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing (Debian and Ubuntu package it apart)."; \
	  echo "Install it and try again: sudo apt-get install python3-venv"; exit 1; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

# The dev extra holds all that the demo needs, so that the demo never undoes it.
$(CORE): pyproject.toml constraints.txt | $(BIN)/python
	@if [ ! -f $(DEV) ]; then \
	  echo "Installing Hermes and what it needs into $(VENV) (once; a minute or two) …"; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e . -c constraints.txt; fi
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Hermes and its development tools into $(VENV) (once; a few minutes) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]" -c constraints.txt
	@touch $@ $(CORE)
